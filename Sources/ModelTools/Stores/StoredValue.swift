package import DataModel
import Foundation

/// An attribute's value, in the forms that commands show.
package enum StoredValue {
    /// The value for programs: exact.
    package static func json(_ value: Any?, _ type: NSAttributeDescription.AttributeType?) -> JSONValue {
        guard let value, !(value is NSNull) else { return .null }
        if let date = date(value) {
            let seconds = date.timeIntervalSinceReferenceDate
            return DateText.exact(seconds).map(JSONValue.string) ?? .real(seconds)
        }
        switch value {
        case let text as String: return .string(text)
        case let data as Data: return .string(data.base64EncodedString())
        case let data as NSData: return .string(data.base64EncodedString(options: []))
        case let id as UUID: return .string(id.uuidString)
        case let url as URL: return .string(url.absoluteString)
        case let url as NSURL: return JSONValue(url.absoluteString)
        case let decimal as Decimal: return .string("\(decimal)")
        case let decimal as NSDecimalNumber: return .string("\(decimal)")
        case let fields as [String: Any]: return .object(fields.mapValues { json($0, nil) })
        default: break
        }
        // A number of Swift casts to every other number that has its value, so the type decides.
        if let number = value as? NSNumber { return json(number, type) }
        if let number = value as? any BinaryInteger { return .integer(Int64(clamping: number)) }
        return .string("\(value)")
    }

    private static func json(_ number: NSNumber, _ type: NSAttributeDescription.AttributeType?) -> JSONValue {
        switch type {
        case .boolean: .bool(number.boolValue)
        case .decimal: .string("\(number.decimalValue)")
        case .float: .real(Double("\(number.floatValue)") ?? number.doubleValue)
        case .double: .real(number.doubleValue)
        case .integer16, .integer32, .integer64: .integer(number.int64Value)
        default: String(cString: number.objCType) == "d" ? .real(number.doubleValue) : .integer(number.int64Value)
        }
    }

    /// The value for people.
    package static func text(_ value: Any?, _ type: NSAttributeDescription.AttributeType?) -> String {
        guard let value, !(value is NSNull) else { return "" }
        if let date = date(value) { return DateText.shown(date.timeIntervalSinceReferenceDate) }
        if let data = (value as? Data) ?? (value as? NSData).map({ Data(referencing: $0) }) {
            return "\(data.count) bytes"
        }
        switch json(value, type) {
        case .string(let text): return text
        case let other: return other.line
        }
    }

    private static func date(_ value: Any) -> Date? {
        (value as? Date) ?? (value as? NSDate).map { Date(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate) }
    }
}
