import DataModel
import ObjectGraph
import Storage

/// The elements of a composite attribute of one object. The code that `@Composite` writes uses it to read and write them.
public struct _CompositeElements {
    let object: NSManagedObject
    private let layout: CompositeLayout
    private let path: String

    private init(_ object: NSManagedObject, _ layout: CompositeLayout, _ path: String) {
        self.object = object
        self.layout = layout
        self.path = path
    }

    /// Makes the elements of the composite at a slot. The result is nil if there is no composite at the slot.
    init?(_ object: NSManagedObject, _ slot: Int) {
        guard let layout = object.composite(atSlot: slot) else { return nil }
        self.init(object, layout, object.propertyName(atSlot: slot))
    }

    /// Whether all elements are nil.
    var isEmpty: Bool { layout.slots.allSatisfy(object._isNil) }

    /// Sets all elements to nil.
    func clear() { layout.slots.forEach(object._setNil) }

    func slot(_ name: String) -> Int? {
        if case .slot(let slot) = layout.element(named: name) { slot } else { nil }
    }

    func nested(_ name: String) -> _CompositeElements? {
        guard case .composite(let nested) = layout.element(named: name) else { return nil }
        return _CompositeElements(object, nested, "\(path).\(name)")
    }

    /// Whether an element is nil. A nested composite is nil if all its elements are nil.
    func isNil(_ name: String) -> Bool { slot(name).map(object._isNil) ?? nested(name)?.isEmpty ?? true }

    func error(_ name: String, _ type: Any.Type, _ reason: PropertyValueError.Reason) -> PropertyValueError {
        PropertyValueError(object, storedName: "\(path).\(name)", type: type, reason: reason)
    }

    /// An element.
    public func get<Value: AttributeValue>(_ name: String) throws(PropertyValueError) -> Value { try Value._read(self, name) }

    /// An element that is stored as its raw value.
    @_disfavoredOverload
    public func get<Value: RawRepresentable>(_ name: String) throws(PropertyValueError) -> Value
    where Value.RawValue: AttributeValue {
        let raw: Value.RawValue = try get(name)
        if object.isUnread, let neutral = NeutralValue.of(Value.self) { return neutral }
        guard let value = Value(rawValue: raw) else { throw error(name, Value.self, .unknownValue("\(raw)")) }
        return value
    }

    /// An optional element that is stored as its raw value.
    @_disfavoredOverload
    public func get<Value: RawRepresentable>(_ name: String) throws(PropertyValueError) -> Value?
    where Value.RawValue: AttributeValue {
        if isNil(name) { return nil }
        return try get(name) as Value
    }

    /// Sets an element.
    public func set<Value: AttributeValue>(_ name: String, _ value: Value) { value._write(to: self, name) }

    /// Sets an element that is stored as its raw value.
    @_disfavoredOverload
    public func set<Value: RawRepresentable>(_ name: String, _ value: Value) where Value.RawValue: AttributeValue {
        set(name, value.rawValue)
    }

    /// Sets an optional element that is stored as its raw value.
    @_disfavoredOverload
    public func set<Value: RawRepresentable>(_ name: String, _ value: Value?) where Value.RawValue: AttributeValue {
        set(name, value?.rawValue)
    }
}
