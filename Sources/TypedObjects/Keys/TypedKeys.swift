import ObjectGraph

/// The keys of a class. There is one for each property.
///
/// ```swift
/// Movie.keys.title                                  // TypedKey<Movie, String>
/// Movie.keys.director.name                          // through relationships and composites too
/// ```
@dynamicMemberLookup
public struct TypedKeys<Object: TypedObject> {
    /// The key of a property.
    public subscript<Value>(dynamicMember keyPath: KeyPath<Object, Value>) -> TypedKey<Object, Value> { TypedKey(keyPath) }
}

extension TypedObject {
    /// The keys of the class: `Movie.keys.title`.
    public static var keys: TypedKeys<Self> { TypedKeys() }
}
