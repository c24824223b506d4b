public import DataModel
public import ObjectGraph

/// A type whose values an attribute can keep.
///
/// `Bool`, `Int16`, `Int32`, `Int64`, `Int`, `Int8`, `UInt8`, `UInt16`, `UInt32`, `Float`, `Double`, `Decimal`, `String`, `Date`,
/// `Data`, `UUID`, `URL`, their forms in Foundation's classes, and the optional of each conform. Types of your own take part as
/// ``StorableValue``, as `RawRepresentable` over one of these (enumerations and option sets are), as structs with `@Composite`,
/// or with `@Attribute(.codable)` and `@Attribute(.transformable(by:))`; the requirements here are the library's business.
public protocol AttributeValue {
    /// The type of the attribute in a model made from classes.
    static var _attributeType: NSAttributeType { get }
    /// Whether nil is one of the values.
    static var _isOptional: Bool { get }
    /// The elements of a composite attribute; nil for every other type.
    static var _elements: [_TypedProperty]? { get }
    /// Whether an attribute of some type can keep the values.
    static func _fits(_ type: NSAttributeType) -> Bool
    /// The value of a slot, or nil where it has none that this type can hold.
    static func _read(_ object: NSManagedObject, _ slot: Int) -> Self?
    /// The value of a slot that must have one. Differs from `_read` for composites that need nothing, which exist even if all
    /// their elements are nil.
    static func _readRequired(_ object: NSManagedObject, _ slot: Int) -> Self?
    /// Why a slot has no value of this type; nil if it has one.
    static func _problem(_ object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason?
    /// The value of an element of a composite.
    static func _read(_ elements: _CompositeElements, _ name: String) throws(PropertyValueError) -> Self
    /// Puts the value into an element of a composite.
    func _write(to elements: _CompositeElements, _ name: String)
    /// Takes the value of an element of a composite away.
    static func _clear(in elements: _CompositeElements, _ name: String)
    /// Takes the value of a slot away.
    static func _clear(_ object: NSManagedObject, _ slot: Int)
    /// Puts the value into a slot.
    func _write(_ object: NSManagedObject, _ slot: Int)
    /// What stands for a value that can't be read; nil if the type has none: zero, false, empty.
    static var _unreadValue: Self? { get }
    /// The value as a model's default, or in a predicate.
    var _modelValue: Any? { get }
    /// What `@Managed` gives for an attribute without value, as the accessors of Apple's framework do: false, zero, an empty
    /// string; nil for types that have nothing of the kind.
    static var _neutralValue: Self? { get }
}

extension AttributeValue {
    /// False: of the library's types only `Optional` has nil.
    @inlinable public static var _isOptional: Bool { false }
    /// What stands for none, if anything does.
    public static var _unreadValue: Self? { _neutralValue }
    /// Nil: only composites have elements.
    public static var _elements: [_TypedProperty]? { nil }
    /// An attribute of exactly the type's own kind fits.
    public static func _fits(_ type: NSAttributeType) -> Bool { type == _attributeType }
    /// The value of a slot.
    @inlinable @inline(__always) public static func _readRequired(_ object: NSManagedObject, _ slot: Int) -> Self? {
        _read(object, slot)
    }
    /// Nothing there, or something that is no value of the type.
    public static func _problem(_ object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? {
        guard _read(object, slot) == nil else { return nil }
        return object._object(slot).map { .unknownValue("\($0)") } ?? .missing
    }
    /// Nil: most types have no value that stands for none.
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
    /// Puts the value into an element of a composite.
    public func _write(to elements: _CompositeElements, _ name: String) {
        if let slot = elements.slot(name) { _write(elements.object, slot) }
    }
    /// Takes the value of an element of a composite away.
    public static func _clear(in elements: _CompositeElements, _ name: String) {
        if let slot = elements.slot(name) { _clear(elements.object, slot) }
    }
}
