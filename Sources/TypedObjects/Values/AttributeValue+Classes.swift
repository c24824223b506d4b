// The requirements are documented where `AttributeValue` declares them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DataModel
public import Foundation
public import ObjectGraph

// Foundation's classes, which older code uses as types of properties. All but numbers are converted from and to their Swift
// types. A mutable object is a copy, so changing it does not change the attribute. Other subclasses inherit the conformance, but
// no attribute has values of them.

extension NSNumber: AttributeValue {
    public static var _unreadValue: Self? { (self == NSDecimalNumber.self ? NSDecimalNumber.zero : NSNumber(value: 0)) as? Self }
    /// The type is undefined, because the class does not tell which kind of number the attribute has. A model from a file tells
    /// it.
    public static var _attributeType: NSAttributeType {
        self == NSDecimalNumber.self ? .decimalAttributeType : .undefinedAttributeType
    }

    public static func _fits(_ type: NSAttributeType) -> Bool {
        switch type {
        case .decimalAttributeType: true
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType, .floatAttributeType,
            .booleanAttributeType:
            self != NSDecimalNumber.self
        default: false
        }
    }

    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? { object._object(slot) as? Self }
    public func _write(_ object: NSManagedObject, _ slot: Int) { object._setObject(slot, self) }
    public var _modelValue: Any? { self }
}

extension NSString: AttributeValue {
    public static var _unreadValue: Self? { make("") }
    public static var _attributeType: NSAttributeType { String._attributeType }
    public static func _fits(_ type: NSAttributeType) -> Bool {
        type == _attributeType && (self == NSString.self || self == NSMutableString.self)
    }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? { String._read(object, slot).flatMap(make) }
    private static func make(_ text: String) -> Self? {
        (self == NSMutableString.self ? NSMutableString(string: text) : NSString(string: text)) as? Self
    }
    public func _write(_ object: NSManagedObject, _ slot: Int) { (self as String)._write(object, slot) }
    public var _modelValue: Any? { (self as String)._modelValue }
}

extension NSDate: AttributeValue {
    public static var _unreadValue: Self? { NSDate(timeIntervalSinceReferenceDate: 0) as? Self }
    public static var _attributeType: NSAttributeType { Date._attributeType }
    public static func _fits(_ type: NSAttributeType) -> Bool { type == _attributeType && self == NSDate.self }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        Date._read(object, slot).flatMap { NSDate(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) as? Self }
    }
    public func _write(_ object: NSManagedObject, _ slot: Int) { (self as Date)._write(object, slot) }
    public var _modelValue: Any? { (self as Date)._modelValue }
}

extension NSData: AttributeValue {
    public static var _unreadValue: Self? { make(Data()) }
    public static var _attributeType: NSAttributeType { Data._attributeType }
    public static func _fits(_ type: NSAttributeType) -> Bool {
        type == _attributeType && (self == NSData.self || self == NSMutableData.self)
    }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? { Data._read(object, slot).flatMap(make) }
    private static func make(_ data: Data) -> Self? {
        (self == NSMutableData.self ? NSMutableData(data: data) : NSData(data: data)) as? Self
    }
    public func _write(_ object: NSManagedObject, _ slot: Int) { (self as Data)._write(object, slot) }
    public var _modelValue: Any? { (self as Data)._modelValue }
}

extension NSUUID: AttributeValue {
    public static var _unreadValue: Self? { NSUUID(uuidString: "00000000-0000-0000-0000-000000000000") as? Self }
    public static var _attributeType: NSAttributeType { UUID._attributeType }
    public static func _fits(_ type: NSAttributeType) -> Bool { type == _attributeType && self == NSUUID.self }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        UUID._read(object, slot).flatMap { NSUUID(uuidString: $0.uuidString) as? Self }
    }
    public func _write(_ object: NSManagedObject, _ slot: Int) { (self as UUID)._write(object, slot) }
    public var _modelValue: Any? { (self as UUID)._modelValue }
}

extension NSURL: AttributeValue {
    public static var _unreadValue: Self? { NSURL(string: "about:blank") as? Self }
    public static var _attributeType: NSAttributeType { URL._attributeType }
    public static func _fits(_ type: NSAttributeType) -> Bool { type == _attributeType && self == NSURL.self }
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        URL._read(object, slot).flatMap { NSURL(string: $0.absoluteString) as? Self }
    }
    public func _write(_ object: NSManagedObject, _ slot: Int) { (self as URL)._write(object, slot) }
    public var _modelValue: Any? { (self as URL)._modelValue }
}
