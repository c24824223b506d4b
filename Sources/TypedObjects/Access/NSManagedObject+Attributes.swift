public import ObjectGraph

// What the accessors of attributes call. `name` serves messages only.

extension NSManagedObject {
    /// Reads an attribute. Nil where nil is no value stops the program.
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

    /// Reads a required attribute by its raw value. Nil, and a raw value that the type does not know, stop the program.
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

    /// For a type that no attribute can have, so that the compiler complains once: of the schema.
    @_disfavoredOverload
    public final func _get<Value>(_ name: String?, _ slot: Int) -> Value {
        preconditionFailure("\(type(of: self)).\(name ?? "") can't have the type \(Value.self)")
    }

    /// For a type that no attribute can have, so that the compiler complains once: of the schema.
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

    /// Sets an attribute by its raw value, or takes the value away.
    @_disfavoredOverload
    @inlinable @inline(__always)
    public final func _set<Value: RawRepresentable>(_ name: String, _ slot: Int, _ value: Value?)
    where Value.RawValue: AttributeValue {
        (value?.rawValue)._write(self, slot)
    }
}
