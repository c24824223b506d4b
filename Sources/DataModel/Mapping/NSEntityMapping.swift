public import Foundation
public import Predicates

/// How objects of an entity in the newer model are made of objects of the older one.
///
/// Use it on one thread at a time.
open class NSEntityMapping: NSObject {
    /// The name of the mapping, unique in its mapping model.
    public final var name: String!

    /// How objects are made.
    public final var mappingType = NSEntityMappingType.undefinedEntityMappingType

    /// The entity in the older model; nil for a new entity.
    public final var sourceEntityName: String?

    /// The version hash of the entity in the older model.
    public final var sourceEntityVersionHash: Data?

    /// The entity in the newer model; nil for an entity that is gone.
    public final var destinationEntityName: String?

    /// The version hash of the entity in the newer model.
    public final var destinationEntityVersionHash: Data?

    /// Where the values of attributes come from.
    public final var attributeMappings: [NSPropertyMapping]?

    /// Where the values of relationships come from.
    public final var relationshipMappings: [NSPropertyMapping]?

    /// Which objects of the older model the mapping is for: a `FETCH` expression with the variable `$manager`.
    public final var sourceExpression: _NSExpression?

    /// What the developer noted about the mapping.
    public final var userInfo: [AnyHashable: Any]?

    /// The class of the application that makes the objects; nil for none.
    public final var entityMigrationPolicyClassName: String?
}
