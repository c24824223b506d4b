// The requirements are documented where `AttributeValue` declares them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DataModel
import Foundation
public import ObjectGraph

// Integers for which Core Data has no attribute type. An attribute of the next wider type stores them. A stored number that does
// not fit counts as no value. `UInt` and `UInt64` do not conform, because no attribute type can store all of their values.

extension FixedWidthInteger {
    fileprivate static func readInteger(_ object: NSManagedObject, _ slot: Int) -> Self? {
        object._isNil(slot) ? nil : Self(exactly: object._integer(slot))
    }
}

extension Int8: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Int8? { 0 }
    public static var _attributeType: NSAttributeType { .integer16AttributeType }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Int8? { readInteger(object, slot) }
    public func _write(_ object: NSManagedObject, _ slot: Int) { object._setInteger(slot, Int64(self)) }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension UInt8: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: UInt8? { 0 }
    public static var _attributeType: NSAttributeType { .integer16AttributeType }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> UInt8? { readInteger(object, slot) }
    public func _write(_ object: NSManagedObject, _ slot: Int) { object._setInteger(slot, Int64(self)) }
    public var _modelValue: Any? { NSNumber(value: Int16(self)) }
}

extension UInt16: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: UInt16? { 0 }
    public static var _attributeType: NSAttributeType { .integer32AttributeType }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> UInt16? { readInteger(object, slot) }
    public func _write(_ object: NSManagedObject, _ slot: Int) { object._setInteger(slot, Int64(self)) }
    public var _modelValue: Any? { NSNumber(value: Int32(self)) }
}

extension UInt32: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: UInt32? { 0 }
    public static var _attributeType: NSAttributeType { .integer64AttributeType }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> UInt32? { readInteger(object, slot) }
    public func _write(_ object: NSManagedObject, _ slot: Int) { object._setInteger(slot, Int64(self)) }
    public var _modelValue: Any? { NSNumber(value: Int64(self)) }
}
