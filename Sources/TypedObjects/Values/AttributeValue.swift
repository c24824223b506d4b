public import DataModel
public import ObjectGraph

/// A type whose values an attribute can store.
///
/// `Bool`, `Int16`, `Int32`, `Int64`, `Int`, `Int8`, `UInt8`, `UInt16`, `UInt32`, `Float`, `Double`, `Decimal`, `String`, `Date`,
/// `Data`, `UUID`, `URL`, the corresponding classes of Foundation, and the optional of each conform.
///
/// Your own types need not conform. Let them conform to ``StorableValue``, or to `RawRepresentable` with one of these types, as
/// enumerations and option sets do. Or use a struct with `@Composite`, `@Attribute(.codable)` or
/// `@Attribute(.transformable(by:))`. The requirements of this protocol are not API.
public protocol AttributeValue {
    /// The type of the attribute in a model made from classes.
    static var _attributeType: NSAttributeType { get }
    /// Whether the value may be nil.
    static var _isOptional: Bool { get }
    /// The elements of a composite attribute. It is nil for every other type.
    static var _elements: [_TypedProperty]? { get }
    /// Whether an attribute of a type can store the values.
    static func _fits(_ type: NSAttributeType) -> Bool
    /// The value of a slot, or nil if the slot has no value of this type.
    static func _read(_ object: NSManagedObject, _ slot: Int) -> Self?
    /// The value of a slot that must have a value. It differs from `_read` only for composites without required elements, which
    /// exist even if all their elements are nil.
    static func _readRequired(_ object: NSManagedObject, _ slot: Int) -> Self?
    /// Why a slot has no value of this type. It is nil if the slot has one.
    static func _problem(_ object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason?
    /// The value of an element of a composite.
    static func _read(_ elements: _CompositeElements, _ name: String) throws(PropertyValueError) -> Self
    /// Writes the value to an element of a composite.
    func _write(to elements: _CompositeElements, _ name: String)
    /// Sets an element of a composite to nil.
    static func _clear(in elements: _CompositeElements, _ name: String)
    /// Sets a slot to nil.
    static func _clear(_ object: NSManagedObject, _ slot: Int)
    /// Writes the value to a slot.
    func _write(_ object: NSManagedObject, _ slot: Int)
    /// The value to use in place of one that can't be read: zero, false or empty. It is nil if the type has no such value.
    static var _unreadValue: Self? { get }
    /// The value in the form for a model's default or a predicate.
    var _modelValue: Any? { get }
    /// The value of a `@Managed` property whose attribute has no value: false, zero or an empty string, as with the accessors of
    /// Apple's framework. It is nil if the type has no such value.
    static var _neutralValue: Self? { get }
}

extension AttributeValue {
    /// False. Only `Optional` has the value nil.
    @inlinable public static var _isOptional: Bool { false }
    /// The neutral value, if the type has one.
    public static var _unreadValue: Self? { _neutralValue }
    /// Nil. Only composites have elements.
    public static var _elements: [_TypedProperty]? { nil }
    /// Whether the type of the attribute is this type's own attribute type.
    public static func _fits(_ type: NSAttributeType) -> Bool { type == _attributeType }
    /// The value of a slot.
    @inlinable @inline(__always) public static func _readRequired(_ object: NSManagedObject, _ slot: Int) -> Self? {
        _read(object, slot)
    }
    /// The reason is a missing value, or a value that is not one of the type.
    public static func _problem(_ object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? {
        guard _read(object, slot) == nil else { return nil }
        return object._object(slot).map { .unknownValue("\($0)") } ?? .missing
    }
    /// Nil. Most types have no neutral value.
    @inlinable @inline(__always) public static var _neutralValue: Self? { nil }
    /// Sets the slot to nil.
    @inlinable public static func _clear(_ object: NSManagedObject, _ slot: Int) { object._setNil(slot) }
    /// The value of an element of a composite.
    public static func _read(_ elements: _CompositeElements, _ name: String) throws(PropertyValueError) -> Self {
        guard let slot = elements.slot(name) else { throw elements.error(name, Self.self, .missing) }
        if let value = _read(elements.object, slot) { return value }
        if elements.object.isUnread, let neutral = _unreadValue { return neutral }
        throw elements.error(name, Self.self, _problem(elements.object, slot) ?? .missing)
    }
    /// Writes the value to an element of a composite.
    public func _write(to elements: _CompositeElements, _ name: String) {
        if let slot = elements.slot(name) { _write(elements.object, slot) }
    }
    /// Sets an element of a composite to nil.
    public static func _clear(in elements: _CompositeElements, _ name: String) {
        if let slot = elements.slot(name) { _clear(elements.object, slot) }
    }
}
