package import DataModel
package import Storage

/// What the typed layer asks an object about its slots.
extension NSManagedObject {
    /// The name in the model of the property in a slot.
    package final func propertyName(atSlot slot: Int) -> String { layout.slots[slot].name }

    /// The type of the attribute in a slot; undefined for relationships.
    package final func attributeType(atSlot slot: Int) -> NSAttributeType { layout.slots[slot].attributeType }

    /// The value of an attribute or composite by its name, as key-value coding gives it. Overrides of `value(forKey:)`
    /// are not called.
    package final func convertedValue(forKey key: String) -> Any? { dynamicValue(forKey: key) }

    /// Sets an attribute or composite by its name, as key-value coding takes the value. Overrides of
    /// `setValue(_:forKey:)` are not called.
    package final func setConvertedValue(_ value: Any?, forKey key: String) { setDynamicValue(value, forKey: key) }

    /// Whether a slot is that of a to-many relationship that was not read.
    package final func hasToManyFault(atSlot slot: Int) -> Bool {
        guard let relationship = layout.relationship(slot: slot), relationship.isToMany else { return false }
        return hasFault(forRelationshipNamed: relationship.name)
    }

    /// The layout of a composite attribute, by the slot that stands for the whole.
    package final func composite(atSlot slot: Int) -> CompositeLayout? { layout.composites[layout.slots[slot].name] }

    /// The slot that stands for the whole of a composite attribute, which only entities of typed classes have.
    package final func compositeSlot(forKey name: String) -> Int? {
        layout.slots.firstIndex { $0.kind == .vacant && $0.name == name && layout.composites[name] != nil }
    }
}
