import Foundation
import OpenCoreData

/// The values of attributes as text: numbers in digits, `true` and `false`, dates by ISO 8601, bytes in base 64.
enum CSVValue {
    /// The value that a text stands for; nil if it stands for none of the type.
    static func value(_ text: String, _ type: NSAttributeType) -> Any? {
        switch type {
        case .integer16AttributeType: Int16(text).map { NSNumber(value: $0) }
        case .integer32AttributeType: Int32(text).map { NSNumber(value: $0) }
        case .integer64AttributeType: Int64(text).map { NSNumber(value: $0) }
        case .doubleAttributeType: Double(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        case .floatAttributeType: Float(text).flatMap { $0.isFinite ? NSNumber(value: $0) : nil }
        case .booleanAttributeType: Bool(text).map { NSNumber(value: $0) }
        case .decimalAttributeType: decimal(text)
        case .stringAttributeType: text
        case .dateAttributeType: date(text)
        case .binaryDataAttributeType: Data(base64Encoded: text)
        case .UUIDAttributeType: UUID(uuidString: text)
        case .URIAttributeType: URL(string: text)
        default: nil
        }
    }

    /// The text that stands for a value; nil for a value of another type.
    static func text(_ value: Any, _ type: NSAttributeType) -> String? {
        switch type {
        case .booleanAttributeType: (value as? NSNumber).map { $0.boolValue ? "true" : "false" }
        case .doubleAttributeType: (value as? NSNumber).map { "\($0.doubleValue)" }
        case .floatAttributeType: (value as? NSNumber).map { "\($0.floatValue)" }
        case .decimalAttributeType: (value as? NSDecimalNumber).map { "\($0.decimalValue)" }
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            (value as? NSNumber).map { "\($0.int64Value)" }
        case .stringAttributeType: value as? String
        case .dateAttributeType: (value as? Date).map(text)
        case .binaryDataAttributeType: (value as? Data)?.base64EncodedString()
        case .UUIDAttributeType: (value as? UUID)?.uuidString
        case .URIAttributeType: (value as? URL)?.absoluteString
        default: nil
        }
    }

    static func canHold(_ type: NSAttributeType) -> Bool {
        ![.transformableAttributeType, .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType].contains(type)
    }

    private static func decimal(_ text: String) -> NSDecimalNumber? {
        guard text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?/) != nil else { return nil }
        return Decimal(string: text).map { NSDecimalNumber(decimal: $0) }
    }

    private static let format = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    /// A date that has more than milliseconds is written as seconds since 2001, so that it comes back as it was.
    private static func text(_ date: Date) -> String {
        let text = date.formatted(format)
        return (try? format.parse(text)) == date ? text : "\(date.timeIntervalSinceReferenceDate)"
    }

    private static func date(_ text: String) -> Date? {
        if let date = (try? format.parse(text)) ?? (try? Date.ISO8601FormatStyle().parse(text)) { return date }
        guard let seconds = Double(text), seconds.isFinite else { return nil }
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}
