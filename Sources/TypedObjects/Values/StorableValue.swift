public import DataModel
public import ObjectGraph

/// A type of your own that an attribute stores as a value of another type.
///
/// Use it for a type that is not `RawRepresentable`, or whose raw value should not be stored:
///
/// ```swift
/// struct Money: StorableValue {
///     var cents: Int64
///     init(cents: Int64) { self.cents = cents }
///
///     init?(storedValue: Int64) { cents = storedValue }
///     var storedValue: Int64 { cents }
/// }
///
/// @Entity final class Invoice: NSManagedObject {
///     var total: Money
///     var discount: Money?
/// }
/// ```
///
/// A value is converted each time it is read or written, on the context's queue. A stored value that can't be converted is
/// treated like an unknown raw value of an enumeration. See ``PropertyValueError``.
public protocol StorableValue: AttributeValue {
    /// The type of the stored value.
    associatedtype StoredValue: AttributeValue

    /// Makes a value from a stored value. It returns nil if the stored value can't be converted.
    init?(storedValue: StoredValue)

    /// The stored value.
    var storedValue: StoredValue { get }
}

extension StorableValue {
    /// The same as for the stored type.
    public static var _attributeType: NSAttributeType { StoredValue._attributeType }
    /// The value for the stored type's neutral value, if there is one.
    public static var _unreadValue: Self? { StoredValue._unreadValue.flatMap(Self.init(storedValue:)) }
    /// The same as for the stored type.
    public static func _fits(_ type: NSAttributeType) -> Bool { StoredValue._fits(type) }
    /// The value of a slot, or nil if the slot has no value of this type.
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        StoredValue._read(object, slot).flatMap(Self.init(storedValue:))
    }
    /// Writes the value to a slot.
    public func _write(_ object: NSManagedObject, _ slot: Int) { storedValue._write(object, slot) }
    /// The stored value as a model's default.
    public var _modelValue: Any? { storedValue._modelValue }
}
