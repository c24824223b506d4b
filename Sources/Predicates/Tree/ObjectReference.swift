/// A value that stands for an object: in predicates it is that object.
package protocol ObjectReference {
    /// The object, or the ID of one.
    var referencedObject: AnyObject { get }
}
