import DataModel
import ObjectGraph

/// A type whose values an attribute can keep.
///
/// `Bool`, `Int16`, `Int32`, `Int64`, `Int`, `Float`, `Double`, `Decimal`, `String`, `Date`, `Data`, `UUID`, `URL`, their forms in Foundation's
/// classes, and the optional of each conform. Types of your own take part through `RawRepresentable` over one of these; the requirements here
/// are the library's business.
public protocol AttributeValue {
    /// The type of the attribute in a model made from classes.
    static var _attributeType: NSAttributeType { get }
    /// Whether nil is one of the values.
    static var _isOptional: Bool { get }
    /// Whether an attribute of some type can keep the values.
    static func _fits(_ type: NSAttributeType) -> Bool
    /// The value of a slot, or nil where it has none that this type can hold.
    static func _read(_ object: NSManagedObject, _ slot: Int) -> Self?
    /// Puts the value into a slot.
    func _write(_ object: NSManagedObject, _ slot: Int)
    /// The value as a model's default.
    var _modelValue: Any? { get }
}

extension AttributeValue {
    /// False: of the library's types only `Optional` has nil.
    @inlinable public static var _isOptional: Bool { false }
    /// An attribute of exactly the type's own kind fits.
    public static func _fits(_ type: NSAttributeType) -> Bool { type == _attributeType }
}
