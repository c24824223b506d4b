// The requirements are documented where `AttributeValue` declares them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DataModel
public import Foundation
public import ObjectGraph

// Types whose values don't fit in the eight bytes of a slot.

extension String: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: String? { "" }
    @inlinable public static var _attributeType: NSAttributeType { .stringAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> String? {
        object._isNil(slot) ? nil : object._string(slot)
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) { object._setString(slot, self) }
    public var _modelValue: Any? { self }
}

extension Data: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Data? { Data() }
    @inlinable public static var _attributeType: NSAttributeType { .binaryDataAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Data? {
        object._dataIfSet(slot)
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) { object._setData(slot, self) }
    public var _modelValue: Any? { self }
}

extension UUID: AttributeValue {
    public static var _unreadValue: UUID? { UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) }
    @inlinable public static var _attributeType: NSAttributeType { .UUIDAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> UUID? {
        object._isNil(slot) ? nil : object._uuid(slot)
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) { object._setUUID(slot, self) }
    public var _modelValue: Any? { self }
}

extension Decimal: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Decimal? { 0 }
    @inlinable public static var _attributeType: NSAttributeType { .decimalAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Decimal? {
        object._isNil(slot) ? nil : object._decimal(slot)
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) { object._setDecimal(slot, self) }
    public var _modelValue: Any? { NSDecimalNumber(decimal: self) }
}

extension URL: AttributeValue {
    public static var _unreadValue: URL? { URL(string: "about:blank") }
    @inlinable public static var _attributeType: NSAttributeType { .URIAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> URL? {
        object._isNil(slot) ? nil : URL(string: object._string(slot))
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        object._setString(slot, absoluteString)
    }
    public var _modelValue: Any? { self }
}
