/// Declares uniqueness constraints in the body of an `@Entity` class. No two objects may have the same values of all properties
/// of a group.
///
/// ```swift
/// @Entity final class Person: NSManagedObject {
///     #Unique<Person>([\.firstName, \.lastName], [\.number])
///     …
/// }
/// ```
///
/// - Parameter groups: Key paths of attributes and to-one relationships of the class. Each group is a uniqueness constraint.
@freestanding(declaration)
public macro Unique<Object>(_ groups: [PartialKeyPath<Object>]...) =
    #externalMacro(module: "TypedObjectsMacros", type: "GroupMacro")

/// Declares indexes of the store in the body of an `@Entity` class.
///
/// ```swift
/// @Entity final class Movie: NSManagedObject {
///     #Index<Movie>([\.title], [\.year, \.title])
///     …
/// }
/// ```
///
/// - Parameter groups: Key paths of attributes and to-one relationships of the class. Each group is an index with the properties
///   in this order.
@freestanding(declaration)
public macro Index<Object>(_ groups: [PartialKeyPath<Object>]...) =
    #externalMacro(module: "TypedObjectsMacros", type: "GroupMacro")
