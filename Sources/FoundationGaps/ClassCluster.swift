/// A class with initializers that return objects of other classes, or with members that know the class that they are called on.
///
/// Only an initializer in an extension of a protocol may assign `self`, and `Self` in a member of a class that others inherit
/// from is the class itself only there.
public protocol _ClassCluster {}
