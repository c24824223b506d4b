import Foundation

/// What a model says about one relationship: where it leads, how many objects it holds, what happens on delete.
///
/// Thread rules as for `NSPropertyDescription`. The destination and the inverse are not kept alive by the relationship; the model
/// does that.
// @unchecked Sendable: as for the superclass, all setters are guarded by `requireMutable()`; weak references are read atomically.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// The entity of the objects at the other end.
    public final weak var destinationEntity: NSEntityDescription? { willSet { requireMutable() } }

    /// The relationship of the destination entity that leads back. It is not set on the other side: set it there as well.
    public final weak var inverseRelationship: NSRelationshipDescription? { willSet { requireMutable() } }

    /// The greatest number of objects; 1 makes a to-one relationship, 0 (the default) or less means no limit.
    public final var maxCount = 0 { willSet { requireMutable() } }

    /// The smallest number of objects. 0 unless set. Whether nil is allowed is said by `isOptional` alone.
    public final var minCount = 0 { willSet { requireMutable() } }

    /// What happens to the objects at the other end when the object is deleted. Nullify unless set.
    public final var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { requireMutable() } }

    /// Whether the relationship may hold more than one object: `maxCount` is not 1.
    public final var isToMany: Bool { maxCount != 1 }

    /// Whether a to-many relationship keeps an order.
    public final var isOrdered = false { willSet { requireMutable() } }

    package override func copyValues(to copy: NSPropertyDescription) {
        super.copyValues(to: copy)
        guard let copy = copy as? NSRelationshipDescription else { return }
        copy.destinationEntity = destinationEntity
        copy.inverseRelationship = inverseRelationship
        copy.maxCount = maxCount
        copy.minCount = minCount
        copy.deleteRule = deleteRule
        copy.isOrdered = isOrdered
    }
}
