import DataModel

/// Says more about a relationship of an `@Entity` class than its type can.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
/// ```
///
/// - Parameters:
///   - storedName: the relationship's name in the model, if it is another one; a string literal.
///   - deleteRule: what happens to the objects at the other end when the object is deleted.
///   - inverse: the property of the other class that leads back. Say it on one of the two sides: on both it is a circular reference to the compiler.
///   - minCount: the least number of objects in a to-many relationship; 0 for no limit.
///   - maxCount: the greatest number of objects in a to-many relationship; 0 for no limit.
@attached(peer)
public macro Relationship(
    _ storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule, inverse: AnyKeyPath? = nil, minCount: Int = 0,
    maxCount: Int = 0
) = #externalMacro(module: "TypedObjectsMacros", type: "RelationshipMacro")
