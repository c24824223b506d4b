public import DataModel

/// Says more about a relationship of an `@Entity` class than its type can.
///
/// ```swift
/// @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
/// ```
///
/// - Parameters:
///   - storedName: the relationship's name in the model, if it is another one; a string literal.
///   - deleteRule: what happens to the objects at the other end when the object is deleted.
///   - inverse: the property of the other class that leads back. A key path on one of the two sides is enough, and the compiler
///     takes it on one only; to say
///     it on both, write the property's name on one of them.
///   - minCount: the least number of objects; 0 for no limit.
///   - maxCount: the greatest number of objects in a to-many relationship; 0 for no limit.
///   - isOptional: whether the relationship may be empty when an object is saved, where the type does not tell: a to-many
///     relationship may be unless this or
///     `minCount` says otherwise.
///   - originalName: the name that the relationship had in an older version of the model.
///   - hashModifier: a text that is part of the version hash.
///   - userInfo: what else is to be noted in the model.
@attached(peer)
public macro Relationship(
    _ storedName: String? = nil, deleteRule: NSDeleteRule = .nullifyDeleteRule, inverse: AnyKeyPath? = nil, minCount: Int = 0,
    maxCount: Int = 0, isOptional: Bool? = nil, originalName: String? = nil, hashModifier: String? = nil,
    userInfo: [String: String]? = nil
) = #externalMacro(module: "TypedObjectsMacros", type: "RelationshipMacro")

/// Says more about a relationship of an `@Entity` class than its type can, with the inverse by its name: for a pair of
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
