package import DataModel

/// What the runtime needs to know of one relationship of one entity, inherited ones included.
package final class RelationshipLayout: Sendable {
    package enum Storage: Sendable {
        /// A foreign key in the owner's row.
        case toOne
        /// The destination rows' foreign key `inverse` points back.
        case oneToMany
        /// A join table keeps the pairs.
        case manyToMany
        /// A to-many without inverse: a hidden foreign key in the destination's rows.
        case hiddenForeignKey
        /// A transient relationship: nothing is stored.
        case transient
    }

    package let name: String
    package let description: NSRelationshipDescription
    /// The number of the declared relationship in its model: the same for an entity and its subentities.
    package let id: Int
    /// The index in `EntityLayout.relationships`.
    package let index: Int
    package let slot: Int
    /// The slot of the destination's entity index; nil where the destination has no subentities, and for to-many relationships.
    package let entitySlot: Int?
    /// The index of the entity that has this layout, and of the one that declares the relationship.
    package let entity: Int
    package let declaringEntity: Int
    /// The index of the destination entity as declared.
    package let destination: Int
    /// The `id` of the inverse.
    package let inverse: Int?
    package let isInverseToMany: Bool
    package let isInverseOrdered: Bool
    package let storage: Storage
    package let isToMany: Bool
    package let isOrdered: Bool
    package let isOptional: Bool
    package let deleteRule: NSDeleteRule

    init(
        description: NSRelationshipDescription, id: Int, index: Int, slot: Int, entitySlot: Int?, entity: Int,
        declaringEntity: Int,
        destination: Int, inverse: Int?
    ) {
        name = description.name
        self.description = description
        self.id = id
        self.index = index
        self.slot = slot
        self.entitySlot = entitySlot
        self.entity = entity
        self.declaringEntity = declaringEntity
        self.destination = destination
        self.inverse = inverse
        isToMany = description.isToMany
        isOrdered = description.isToMany && description.isOrdered
        isOptional = description.isOptional
        deleteRule = description.deleteRule
        let inverseDescription = inverse == nil ? nil : description.inverseRelationship
        isInverseToMany = inverseDescription?.isToMany ?? false
        isInverseOrdered = isInverseToMany && (inverseDescription?.isOrdered ?? false)
        storage =
            if description.isTransient {
                .transient
            } else if !description.isToMany {
                .toOne
            } else if inverse == nil {
                .hiddenForeignKey
            } else if isInverseToMany {
                .manyToMany
            } else {
                .oneToMany
            }
    }
}
