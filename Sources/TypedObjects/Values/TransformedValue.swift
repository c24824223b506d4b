public import ObjectGraph

extension NSManagedObject {
    /// Reads a required transformable attribute. Stops the program if the value is nil or of another type.
    @_disfavoredOverload
    public final func _getTransformed<Value>(_ name: String, _ slot: Int) -> Value {
        _noteReading(slot)
        let found = _object(slot)
        if let value = found as? Value { return value }
        let error = PropertyValueError(
            self, storedName: name, type: Value.self, reason: found.map { .unknownValue("\($0)") } ?? .missing)
        return AccessFailure.valueInstead(self, slot, error, NeutralValue.ofAny(Value.self))
    }

    /// Reads an optional transformable attribute. A value of another type reads as nil, and `value(of:)` throws an error for it.
    public final func _getTransformed<Value>(_ name: String, _ slot: Int) -> Value? {
        _noteReading(slot)
        return _object(slot) as? Value
    }

    /// Sets a transformable attribute.
    public final func _setTransformed<Value>(_ name: String, _ slot: Int, _ value: Value) {
        if let optional = value as? any OptionalType, optional.isNil { return _setNil(slot) }
        _setObject(slot, value)
    }
}

/// Lets generic code find out whether a type is an optional.
protocol OptionalType {
    var isNil: Bool { get }
    static var wrappedType: Any.Type { get }
    static var noValue: Self { get }
}

extension Optional: OptionalType {
    var isNil: Bool { if case .none = self { true } else { false } }
    static var wrappedType: Any.Type { Wrapped.self }
    static var noValue: Wrapped? { nil }
}
