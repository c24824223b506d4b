public import Foundation

/// One property in a fetch index.
///
/// Thread rules as for `NSPropertyDescription`.
// @unchecked Sendable: as for `NSPropertyDescription`; setters are guarded by the index's frozen flag.
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
    package weak var owningIndex: NSFetchIndexDescription?

    /// The property.
    public final let property: NSPropertyDescription?

    /// Makes an ascending element.
    ///
    /// - Parameters:
    ///   - property: An attribute or to-one relationship of the entity that gets the index, possibly inherited.
    ///   - collationType: How the element is stored.
    public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
        self.property = property
        self.collationType = collationType
    }

    /// The name of the property.
    public final var propertyName: String? { property?.name }

    /// How the element is stored.
    public final var collationType: NSFetchIndexElementType { willSet { owningIndex?.requireMutable() } }

    /// Whether the index is sorted from small to great. True unless set.
    public final var isAscending = true { willSet { owningIndex?.requireMutable() } }

    /// The index that holds the element.
    public final var indexDescription: NSFetchIndexDescription? { owningIndex }

    /// An element with the same values that belongs to no index.
    open func copy(with zone: NSZone? = nil) -> Any {
        copy(replacing: { $0 }) ?? self
    }

    package final func copy(replacing: (NSPropertyDescription) -> NSPropertyDescription?) -> NSFetchIndexElementDescription? {
        guard let property, let target = replacing(property) else { return nil }
        let copy = NSFetchIndexElementDescription(property: target, collationType: collationType)
        copy.isAscending = isAscending
        return copy
    }
}
