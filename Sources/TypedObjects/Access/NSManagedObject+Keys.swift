// Each method does the same as the method with a name and a slot in `NSManagedObject+Attributes.swift` or
// `NSManagedObject+Relationships.swift`, where it is documented.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import ObjectGraph
import Predicates

// The accessors of properties that are declared with `@Managed` call these methods. Their slot is looked up by name.

extension NSManagedObject {
    /// Returns the type's neutral value for an attribute without a value, as the accessors of Apple's framework do. Stops the
    /// program if the type has no neutral value.
    @inlinable @inline(__always)
    public final func _get<Value: AttributeValue>(_ key: borrowing _ManagedKey, as type: Value.Type) -> Value {
        let slot = key.slot(in: self)
        guard slot < _ManagedKey.firstConvertedSlot else { return getConverted(key, type) }
        _noteReading(slot)
        if let value = Value._readRequired(self, slot) { return value }
        if let neutral = Value._neutralValue, _isNil(slot) { return neutral }
        return AccessFailure.valueInstead(self, key.name, slot)
    }

    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _get<Value: RawRepresentable>(_ key: borrowing _ManagedKey, as type: Value.Type) -> Value
    where Value.RawValue: AttributeValue {
        let slot = key.slot(in: self)
        guard slot < _ManagedKey.firstConvertedSlot else { return getConverted(key, type) }
        _noteReading(slot)
        if let value = Value.RawValue._read(self, slot).flatMap(Value.init(rawValue:)) { return value }
        if let neutral = Value.RawValue._neutralValue.flatMap(Value.init(rawValue:)), _isNil(slot) { return neutral }
        return AccessFailure.rawValueInstead(self, key.name, slot)
    }

    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _get<Value: RawRepresentable>(_ key: borrowing _ManagedKey, as type: Value?.Type) -> Value?
    where Value.RawValue: AttributeValue {
        let slot = key.slot(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _get(key.name, slot) : getConverted(key, type)
    }

    /// Accepts any other type, which is the type of a transformable attribute.
    @_disfavoredOverload
    public final func _get<Value>(_ key: borrowing _ManagedKey, as type: Value.Type, _ fitsLess: Void = ()) -> Value {
        _ = key.slot(in: self)
        return getConverted(key, type)
    }

    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Destination.Type) -> Destination {
        _get(key.name, key.slot(in: self))
    }

    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Destination?.Type) -> Destination?
    {
        _get(key.name, key.slot(in: self))
    }

    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Set<Destination>.Type) -> Set<
        Destination
    > {
        _get(key.name, key.slot(in: self))
    }

    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: Set<Destination>?.Type) -> Set<
        Destination
    >? {
        _get(key.name, key.slot(in: self))
    }

    @inlinable @inline(__always)
    public final func _get<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, as type: [Destination].Type)
        -> [Destination]
    {
        let slot = key.slot(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _get(key.name, slot) : _getFetched(key.name)
    }

    public final func _get(_ key: borrowing _ManagedKey, as type: NSSet.Type) -> NSSet {
        let slot = key.slot(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _get(key.name, slot) : getConverted(key, type)
    }
    public final func _get(_ key: borrowing _ManagedKey, as type: NSSet?.Type) -> NSSet? {
        let slot = key.slot(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _get(key.name, slot) : getConverted(key, type)
    }
    public final func _get(_ key: borrowing _ManagedKey, as type: NSOrderedSet.Type) -> NSOrderedSet {
        let slot = key.slot(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _get(key.name, slot) : getConverted(key, type)
    }
    public final func _get(_ key: borrowing _ManagedKey, as type: NSOrderedSet?.Type) -> NSOrderedSet? {
        let slot = key.slot(in: self)
        return slot < _ManagedKey.firstConvertedSlot ? _get(key.name, slot) : getConverted(key, type)
    }

    @inlinable @inline(__always)
    public final func _set<Value: AttributeValue>(_ key: borrowing _ManagedKey, _ value: Value) {
        let slot = key.slotForSetting(in: self)
        guard _fastPath(slot < _ManagedKey.firstConvertedSlot) else { return setOtherwise(key, value) }
        _set(key.name, slot, value)
    }

    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _set<Value: RawRepresentable>(_ key: borrowing _ManagedKey, _ value: Value)
    where Value.RawValue: AttributeValue {
        let slot = key.slotForSetting(in: self)
        guard _fastPath(slot < _ManagedKey.firstConvertedSlot) else { return setOtherwise(key, value.rawValue) }
        _set(key.name, slot, value)
    }

    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _set<Value: RawRepresentable>(_ key: borrowing _ManagedKey, _ value: Value?)
    where Value.RawValue: AttributeValue {
        let slot = key.slotForSetting(in: self)
        guard _fastPath(slot < _ManagedKey.firstConvertedSlot) else { return setOtherwise(key, value?.rawValue) }
        _set(key.name, slot, value)
    }

    /// Accepts any other type, which is the type of a transformable attribute.
    @_disfavoredOverload
    public final func _set<Value>(_ key: borrowing _ManagedKey, _ value: Value, _ fitsLess: Void = ()) {
        _ = key.slot(in: self)
        setConverted(key, value)
    }

    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, _ value: Destination?) {
        let slot = key.slotForSetting(in: self)
        guard slot < _ManagedKey.firstPrimitiveSlot else { return setPrimitiveRelationship(key, value) }
        _set(key.name, slot, value)
    }

    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, _ value: Set<Destination>) {
        let slot = key.slotForSetting(in: self)
        guard slot < _ManagedKey.firstPrimitiveSlot else { return setPrimitiveRelationship(key, value) }
        _set(key.name, slot, value)
    }

    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, _ value: Set<Destination>?) {
        let slot = key.slotForSetting(in: self)
        guard slot < _ManagedKey.firstPrimitiveSlot else { return setPrimitiveRelationship(key, value) }
        _set(key.name, slot, value)
    }

    @inlinable @inline(__always)
    public final func _set<Destination: NSManagedObject>(_ key: borrowing _ManagedKey, _ value: [Destination]) {
        let slot = key.slotForSetting(in: self)
        guard slot < _ManagedKey.firstConvertedSlot else { return setConverted(key, value) }
        _set(key.name, slot, value)
    }

    public final func _set(_ key: borrowing _ManagedKey, _ value: NSSet?) {
        let slot = key.slot(in: self)
        guard slot < _ManagedKey.firstConvertedSlot else { return setConverted(key, value) }
        if setPrimitive(key, value) { return }
        _set(key.name, slot, value)
    }
    public final func _set(_ key: borrowing _ManagedKey, _ value: NSOrderedSet?) {
        let slot = key.slot(in: self)
        guard slot < _ManagedKey.firstConvertedSlot else { return setConverted(key, value) }
        if setPrimitive(key, value) { return }
        _set(key.name, slot, value)
    }

    @_disfavoredOverload
    public final func _getCoded<Value: Codable>(_ key: borrowing _ManagedKey) -> Value { _getCoded(key.name, key.slot(in: self)) }
    public final func _getCoded<Value: Codable>(_ key: borrowing _ManagedKey) -> Value? {
        _getCoded(key.name, key.slot(in: self))
    }
    public final func _setCoded<Value: Codable>(_ key: borrowing _ManagedKey, _ value: Value) {
        _setCoded(key.name, key.slot(in: self), value)
    }
    public final func _setCoded<Value: Codable>(_ key: borrowing _ManagedKey, _ value: Value?) {
        _setCoded(key.name, key.slot(in: self), value)
    }
    @_disfavoredOverload
    public final func _getTransformed<Value>(_ key: borrowing _ManagedKey) -> Value {
        _getTransformed(key.name, key.slot(in: self))
    }
    public final func _getTransformed<Value>(_ key: borrowing _ManagedKey) -> Value? {
        _getTransformed(key.name, key.slot(in: self))
    }
    public final func _setTransformed<Value>(_ key: borrowing _ManagedKey, _ value: Value) {
        if setPrimitive(key, Optional<Any>.flattening(value)) { return }
        _setTransformed(key.name, key.slot(in: self), value)
    }

    /// Sets the primitive value if the key is named like `primitiveDate`, which is an idiom of Apple's framework. No change is
    /// tracked.
    ///
    /// - Returns: Whether the key stands for a primitive value.
    final func setPrimitive(_ key: borrowing _ManagedKey, _ value: @autoclosure () -> Any?) -> Bool {
        guard let name = key.primitive(in: self) else { return false }
        // This fires a fault, because its primitive values can't be set.
        _ = _isNil(key.slot(in: self))
        setPrimitiveValue(value(), forKey: name)
        return true
    }

    /// Sets an attribute for which the slot alone is not enough: the value is converted, or is a primitive value.
    @usableFromInline
    @inline(never)
    final func setOtherwise<Value: AttributeValue>(_ key: borrowing _ManagedKey, _ value: Value) {
        guard key.slot(in: self) < _ManagedKey.firstConvertedSlot, setPrimitive(key, value._modelValue) else {
            return setConverted(key, value)
        }
    }

    /// The same for a relationship.
    @usableFromInline
    @inline(never)
    final func setPrimitiveRelationship(_ key: borrowing _ManagedKey, _ value: Any?) { _ = setPrimitive(key, value) }
}
