import DataModel
import Foundation
import Predicates
import Storage

/// Attribute values as `Any`, in the classes that Core Data's key-value coding gives and takes.
enum SlotCoding {
    /// The value of an attribute slot: numbers as `NSNumber`, decimals as `NSDecimalNumber`, the rest as Swift values.
    static func value(in row: Row, slot: Int, of layout: EntityLayout) -> Any? {
        let slots = row.slots
        guard !Row.isNil(slots, slot) else { return nil }
        switch layout.kind(slot) {
        case .integer: return number(Int64(bitPattern: slots[slot]), layout.slots[slot].attributeType)
        case .real:
            let value = Double(bitPattern: slots[slot])
            switch layout.slots[slot].attributeType {
            case .dateAttributeType: return Date(timeIntervalSinceReferenceDate: value)
            case .floatAttributeType: return NSNumber(value: Float(value))
            default: return NSNumber(value: value)
            }
        case .decimal: return NSDecimalNumber(decimal: Row.decimal(slots, slot))
        case .string: return Row.string(slots, slot)
        case .uri: return URL(string: Row.string(slots, slot))
        case .uuid: return Row.uuid(slots, slot)
        case .binary: return Row.data(slots, slot)
        case .object: return Row.boxedValue(slots, slot)
        case .transformable: return transformed(slots, slot, layout.slots[slot].attribute)
        case .toOne, .entityIndex, .toMany, .vacant: return nil
        }
    }

    private static func number(_ value: Int64, _ type: NSAttributeType) -> NSNumber {
        switch type {
        case .booleanAttributeType: NSNumber(value: value != 0)
        // A value that is too large is not cut off: validation has to find it.
        case .integer16AttributeType: Int16(exactly: value).map(NSNumber.init) ?? NSNumber(value: value)
        case .integer32AttributeType: Int32(exactly: value).map(NSNumber.init) ?? NSNumber(value: value)
        default: NSNumber(value: value)
        }
    }

    private static func transformed(_ slots: Row.Slots, _ slot: Int, _ attribute: NSAttributeDescription?) -> Any? {
        if let box = Row.box(slots, slot), !(box.value is StoredBytes) { return box.value }
        guard let attribute, let data = Row.transformedData(slots, slot) else { return nil }
        return TransformableCoding.value(from: data, of: attribute)
    }

    /// Puts a value into a draft.
    /// - Returns: false if the value's type is not acceptable for the attribute; the draft is then as before.
    static func store(_ value: Any, in row: Row, slot: Int) -> Bool {
        let slots = row.slots
        let layout = row.layout
        switch layout.kind(slot) {
        case .integer:
            guard let number = integer(value) else { return false }
            Row.setScalar(slots, slot, UInt64(bitPattern: number))
        case .real:
            guard let number = layout.slots[slot].attributeType == .dateAttributeType ? date(value) : double(value) else {
                return false
            }
            let isFloat = layout.slots[slot].attributeType == .floatAttributeType
            Row.setScalar(slots, slot, (isFloat ? Double(Float(number)) : number).bitPattern)
        case .decimal:
            guard let decimal = decimal(value) else { return false }
            row.setBoxed(slot, decimal)
        case .string:
            guard let string = value as? String else { return false }
            row.setString(slot, string)
        case .uri:
            guard let url = value as? URL ?? (value as? NSURL).map({ $0 as URL }) else { return false }
            row.setString(slot, url.absoluteString)
        case .uuid:
            guard let uuid = value as? UUID ?? (value as? NSUUID).map({ $0 as UUID }) else { return false }
            row.setUUID(slot, uuid)
        case .binary:
            guard let data = value as? Data ?? (value as? NSData).map({ $0 as Data }) else { return false }
            row.setData(slot, data)
        case .transformable, .object:
            row.setBoxed(slot, value)
        case .toOne, .entityIndex, .toMany, .vacant:
            return false
        }
        return true
    }

    private static func integer(_ value: Any) -> Int64? {
        switch value {
        case let value as Int: Int64(value)
        case let value as Bool: value ? 1 : 0
        case let value as NSNumber: value.int64Value
        case let value as any BinaryInteger: Int64(exactly: value)
        case let value as Double: Int64(exactly: value)
        default: nil
        }
    }

    private static func double(_ value: Any) -> Double? {
        switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as NSNumber: value.doubleValue
        case let value as any BinaryInteger: Double(value)
        default: nil
        }
    }

    private static func date(_ value: Any) -> Double? {
        (value as? Date ?? (value as? NSDate).map { $0 as Date })?.timeIntervalSinceReferenceDate
    }

    private static func decimal(_ value: Any) -> Decimal? {
        switch value {
        case let value as Decimal: value
        case let value as NSDecimalNumber: value.decimalValue
        case let value as NSNumber: value.decimalValue
        case let value as any BinaryInteger: Decimal(string: "\(value)")
        default: nil
        }
    }

    /// What an attribute wants, for messages.
    static func className(_ type: NSAttributeType) -> String {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType, .floatAttributeType,
            .booleanAttributeType:
            "NSNumber"
        case .decimalAttributeType: "NSDecimalNumber"
        case .stringAttributeType: "String"
        case .dateAttributeType: "Date"
        case .binaryDataAttributeType: "Data"
        case .UUIDAttributeType: "UUID"
        case .URIAttributeType: "URL"
        case .compositeAttributeType: "[String: Any]"
        case .undefinedAttributeType, .transformableAttributeType, .objectIDAttributeType: "Any"
        }
    }
}
