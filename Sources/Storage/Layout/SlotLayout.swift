package import DataModel

/// One slot of an entity's rows.
package struct SlotLayout: Sendable {
    /// The property's name; for an element of a composite attribute its path ("address.street").
    package let name: String
    package let kind: SlotKind
    /// The attribute whose value is here; nil for relationships, companions and vacant slots.
    package let attribute: NSAttributeDescription?
    /// The index in `EntityLayout.relationships`; nil for all but relationships and their companions.
    package let relationship: Int?
    package let isOptional: Bool
    /// Whether a store keeps the value: false for transient properties, to-many relationships and vacant slots.
    package let isPersistent: Bool

    package var attributeType: NSAttributeType { attribute?.attributeType ?? .undefinedAttributeType }
}
