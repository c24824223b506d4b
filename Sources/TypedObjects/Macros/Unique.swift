/// Says in the body of an `@Entity` class which properties together must be unique.
///
/// ```swift
/// @Entity final class Person: NSManagedObject {
///     #Unique<Person>([\.firstName, \.lastName], [\.number])
///     …
/// }
/// ```
///
/// - Parameter groups: key paths of attributes and to-one relationships of the class; each group is a uniqueness constraint.
@freestanding(declaration)
public macro Unique<Object>(_ groups: [PartialKeyPath<Object>]...) =
    #externalMacro(module: "TypedObjectsMacros", type: "GroupMacro")

/// Says in the body of an `@Entity` class which properties the store should have indexes of.
///
/// ```swift
/// @Entity final class Movie: NSManagedObject {
///     #Index<Movie>([\.title], [\.year, \.title])
///     …
/// }
/// ```
///
/// - Parameter groups: key paths of attributes and to-one relationships of the class; each group is an index, in the order given.
@freestanding(declaration)
public macro Index<Object>(_ groups: [PartialKeyPath<Object>]...) =
    #externalMacro(module: "TypedObjectsMacros", type: "GroupMacro")
