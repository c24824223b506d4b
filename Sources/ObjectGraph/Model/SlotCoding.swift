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
            // A value that is too large is not made infinite, so that validation finds it.
            case .floatAttributeType where !ValueDomain.isBeyondFloat(value): return NSNumber(value: Float(value))
            default: return NSNumber(value: value)
            }
        case .decimal: return NSDecimalNumber(decimal: Row.decimal(slots, slot))
        case .string: return Row.string(slots, slot)
        case .uri:
            // A text of another program may not be a URL. It is a value nevertheless.
            let text = Row.string(slots, slot)
            return URL(string: text) ?? text
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
        // A value that is too large is not cut off, so that validation finds it.
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

    /// The outcome of putting a value into a draft.
    enum Outcome {
        case stored
        /// The value's type is not acceptable for the attribute. The draft is as before.
        case wrongType
        /// A number that a slot of this kind can't hold: a fraction for an integer, or a number of more than 64 bits.
        /// The draft has the nearest one.
        case unfit(NSNumber)
    }

    /// Puts a value into a draft. Numbers are taken as `ValueDomain` says. Validation finds what `ValueDomain` refuses.
    static func store(_ value: Any, in row: Row, slot: Int) -> Outcome {
        let slots = row.slots
        let layout = row.layout
        switch layout.kind(slot) {
        case .integer:
            guard let number = WholeNumber(value) else { return .wrongType }
            let isBoolean = layout.slots[slot].attributeType == .booleanAttributeType
            Row.setScalar(slots, slot, UInt64(bitPattern: isBoolean ? (number.isZero ? 0 : 1) : number.nearest))
            if let given = number.given, !isBoolean || number.isNaN { return .unfit(given) }
        case .real:
            let type = layout.slots[slot].attributeType
            guard let number = type == .dateAttributeType ? date(value) : double(value) else { return .wrongType }
            Row.setScalar(slots, slot, (type == .floatAttributeType ? ValueDomain.float(number) : number).bitPattern)
        case .decimal:
            guard let decimal = decimal(value) else { return .wrongType }
            row.setBoxed(slot, layout.slots[slot].isPersistent ? decimal.asStored : decimal)
        case .string:
            guard let string = value as? String else { return .wrongType }
            row.setString(slot, string)
        case .uri:
            guard let url = value as? URL ?? (value as? NSURL).map({ $0 as URL }) else { return .wrongType }
            row.setString(slot, url.absoluteString)
        case .uuid:
            guard let uuid = value as? UUID ?? (value as? NSUUID).map({ $0 as UUID }) else { return .wrongType }
            row.setUUID(slot, uuid)
        case .binary:
            guard let data = value as? Data ?? (value as? NSData).map({ $0 as Data }) else { return .wrongType }
            row.setData(slot, data)
        case .transformable, .object:
            row.setBoxed(slot, value)
        case .toOne, .entityIndex, .toMany, .vacant:
            return .wrongType
        }
        return .stored
    }

    private static func double(_ value: Any) -> Double? {
        switch value {
        case let value as Double: value
        case let value as Float: Double(value)
        case let value as NSDecimalNumber: value.decimalValue.nearestDouble
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
        case let value as NSNumber:
            // `decimalValue` stops the program for an infinite number.
            switch UInt8(bitPattern: value.objCType.pointee) {
            case UInt8(ascii: "f"), UInt8(ascii: "d"): Decimal(shortest: value.doubleValue) ?? .nan
            case UInt8(ascii: "Q"): Decimal(value.uint64Value)
            default: Decimal(value.int64Value)
            }
        case let value as any BinaryInteger: Decimal(string: "\(value)")
        default: nil
        }
    }

    /// The class that an attribute expects, for messages.
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
