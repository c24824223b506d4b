public import DataModel

/// Describes a relationship of an `@Entity` class in more detail than its type.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
/// ```
///
/// - Parameters:
///   - storedName: The relationship's name in the model, if it differs from the name in Swift. It must be a string literal.
///   - deleteRule: What happens to the objects at the other end when the object is deleted.
///   - inverse: The property of the other class that leads back. A key path on one side is enough, and the compiler accepts a key
///     path only on one side. To name the inverse on both sides, write the property's name on one of them.
///   - minCount: The least number of objects, or 0 for no limit.
///   - maxCount: The greatest number of objects in a to-many relationship, or 0 for no limit.
///   - isOptional: Whether a to-many relationship may be empty when the object is saved. By default it may be empty, unless
///     `minCount` says otherwise.
///   - originalName: The name of the relationship in an older version of the model.
///   - hashModifier: A text that is part of the version hash.
///   - userInfo: The user info of the relationship in the model.
@attached(peer)
public macro Relationship(
    _ storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule, inverse: AnyKeyPath? = nil, minCount: Int = 0,
    maxCount: Int = 0, isOptional: Bool? = nil, originalName: String? = nil, hashModifier: String? = nil,
    userInfo: [String: String]? = nil
) = #externalMacro(module: "TypedObjectsMacros", type: "RelationshipMacro")

/// Describes a relationship of an `@Entity` class in more detail than its type, with the name of its inverse. Use it for two
/// relationships that name each other.
///
/// ```swift
/// @Relationship(inverse: \Album.artists) var albums: Set<Album>      // in Artist
/// @Relationship(inverse: "albums") var artists: Set<Artist>          // in Album
/// ```
///
/// The parameters are those of the form with a key path.
@attached(peer)
public macro Relationship(
    _ storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule, inverse: String, minCount: Int = 0,
    maxCount: Int = 0, isOptional: Bool? = nil, originalName: String? = nil, hashModifier: String? = nil,
    userInfo: [String: String]? = nil
) = #externalMacro(module: "TypedObjectsMacros", type: "RelationshipMacro")
