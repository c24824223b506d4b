public import ObjectGraph

// The accessors of attributes call these methods. `name` is used only in messages.

extension NSManagedObject {
    /// Reads an attribute. Stops the program if the value is nil and the type is not optional.
    @inlinable @inline(__always)
    public final func _get<Value: AttributeValue>(_ name: String, _ slot: Int) -> Value {
        _noteReading(slot)
        guard let value = Value._readRequired(self, slot) else { return AccessFailure.valueInstead(self, name, slot) }
        return value
    }

    /// Sets an attribute.
    @inlinable @inline(__always)
    public final func _set<Value: AttributeValue>(_ name: String, _ slot: Int, _ value: Value) {
        value._write(self, slot)
    }

    /// Reads a required attribute by its raw value. Stops the program if the value is nil, or if the type does not know the raw
    /// value.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _get<Value: RawRepresentable>(_ name: String, _ slot: Int) -> Value where Value.RawValue: AttributeValue {
        _noteReading(slot)
        guard let rawValue = Value.RawValue._read(self, slot), let value = Value(rawValue: rawValue) else {
            return AccessFailure.rawValueInstead(self, name, slot)
        }
        return value
    }

    /// Reads an optional attribute by its raw value. A raw value that the type does not know reads as nil.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _get<Value: RawRepresentable>(_ name: String, _ slot: Int) -> Value? where Value.RawValue: AttributeValue {
        _noteReading(slot)
        return Value.RawValue._read(self, slot).flatMap(Value.init(rawValue:))
    }

    /// Accepts a type that no attribute can have, so that the compiler reports the mistake only once, in the schema.
    @_disfavoredOverload
    public final func _get<Value>(_ name: String?, _ slot: Int) -> Value {
        preconditionFailure("\(type(of: self)).\(name ?? "") can't have the type \(Value.self)")
    }

    /// Accepts a type that no attribute can have, so that the compiler reports the mistake only once, in the schema.
    @_disfavoredOverload
    public final func _set<Value>(_ name: String?, _ slot: Int, _ value: Value) {
        preconditionFailure("\(type(of: self)).\(name ?? "") can't have the type \(Value.self)")
    }

    /// Sets an attribute by its raw value.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _set<Value: RawRepresentable>(_ name: String, _ slot: Int, _ value: Value)
    where Value.RawValue: AttributeValue {
        value.rawValue._write(self, slot)
    }

    /// Sets an attribute by its raw value, or sets it to nil.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _set<Value: RawRepresentable>(_ name: String, _ slot: Int, _ value: Value?)
    where Value.RawValue: AttributeValue {
        (value?.rawValue)._write(self, slot)
    }
}
