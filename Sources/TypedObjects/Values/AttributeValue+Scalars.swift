// The requirements are documented where `AttributeValue` declares them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DataModel
public import Foundation
public import ObjectGraph

// Numbers and `Bool`, which are read from the slot and written to it without a box. A stored number that does not fit in the type
// counts as no value. Another program may have written it, or it may have been set by key and not been saved yet.

extension Bool: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Bool? { false }
    @inlinable public static var _attributeType: NSAttributeType { .booleanAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Bool? {
        object._integerIfSet(slot).map { $0 != 0 }
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        object._setInteger(slot, self ? 1 : 0)
    }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension Int16: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Int16? { 0 }
    @inlinable public static var _attributeType: NSAttributeType { .integer16AttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Int16? {
        object._integerIfSet(slot).flatMap { Int16(exactly: $0) }
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        object._setInteger(slot, Int64(self))
    }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension Int32: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Int32? { 0 }
    @inlinable public static var _attributeType: NSAttributeType { .integer32AttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Int32? {
        object._integerIfSet(slot).flatMap { Int32(exactly: $0) }
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        object._setInteger(slot, Int64(self))
    }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension Int64: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Int64? { 0 }
    @inlinable public static var _attributeType: NSAttributeType { .integer64AttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Int64? {
        object._integerIfSet(slot)
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) { object._setInteger(slot, self) }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension Int: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Int? { 0 }
    @inlinable public static var _attributeType: NSAttributeType { .integer64AttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Int? {
        object._integerIfSet(slot).map { Int(truncatingIfNeeded: $0) }
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        object._setInteger(slot, Int64(self))
    }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension Double: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Double? { 0 }
    @inlinable public static var _attributeType: NSAttributeType { .doubleAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Double? {
        object._doubleIfSet(slot)
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) { object._setDouble(slot, self) }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension Float: AttributeValue {
    @inlinable @inline(__always) public static var _neutralValue: Float? { 0 }
    @inlinable public static var _attributeType: NSAttributeType { .floatAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Float? {
        object._doubleIfSet(slot).flatMap { number in
            let float = Float(number)
            return float.isInfinite && number.isFinite ? nil : float
        }
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        object._setDouble(slot, Double(self))
    }
    public var _modelValue: Any? { NSNumber(value: self) }
}

extension Date: AttributeValue {
    public static var _unreadValue: Date? { Date(timeIntervalSinceReferenceDate: 0) }
    @inlinable public static var _attributeType: NSAttributeType { .dateAttributeType }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Date? {
        object._doubleIfSet(slot).map { Date(timeIntervalSinceReferenceDate: $0) }
    }
    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        object._setDouble(slot, timeIntervalSinceReferenceDate)
    }
    public var _modelValue: Any? { self }
}
