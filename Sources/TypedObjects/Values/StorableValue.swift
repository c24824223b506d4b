public import DataModel
public import ObjectGraph

/// A type of your own that an attribute keeps as a value of another type.
///
/// Conform a type that is not `RawRepresentable`, or whose raw value is not what a store should have:
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
/// The conversion happens at each reading and writing, on the context's queue. A stored value from which no value can be made is
/// treated like an enumeration's unknown raw value: see ``PropertyValueError``.
public protocol StorableValue: AttributeValue {
    /// The type of what is stored.
    associatedtype StoredValue: AttributeValue

    /// Makes a value of what is stored; nil if there is none for it.
    init?(storedValue: StoredValue)

    /// What is stored for the value.
    var storedValue: StoredValue { get }
}

extension StorableValue {
    /// The stored type's.
    public static var _attributeType: NSAttributeType { StoredValue._attributeType }
    /// What is made of the stored type's neutral value, if anything is.
    public static var _unreadValue: Self? { StoredValue._unreadValue.flatMap(Self.init(storedValue:)) }
    /// The stored type's.
    public static func _fits(_ type: NSAttributeType) -> Bool { StoredValue._fits(type) }
    /// The value of a slot, or nil where it has none that this type can hold.
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        StoredValue._read(object, slot).flatMap(Self.init(storedValue:))
    }
    /// Puts the value into a slot.
    public func _write(_ object: NSManagedObject, _ slot: Int) { storedValue._write(object, slot) }
    /// The stored value as a model's default.
    public var _modelValue: Any? { storedValue._modelValue }
}
