import DataModel
import Foundation

/// Turns what an export says back into an attribute's value.
enum ImportedValue {
    static func value(_ json: JSONValue, _ attribute: NSAttributeDescription, _ place: String) throws -> Any? {
        if json == .null { return nil }
        if let value = try value(json, attribute, place: place) { return value }
        throw ToolError(
            "\(place): \(TextWidth.shown(json.line, limit: 60)) is not a value of the type \(ModelOutline.typeName(attribute.type))"
        )
    }

    private static func value(_ json: JSONValue, _ attribute: NSAttributeDescription, place: String) throws -> Any? {
        switch (attribute.type, json) {
        case (.integer16, .integer(let number)): Int16(exactly: number).map { NSNumber(value: $0) }
        case (.integer32, .integer(let number)): Int32(exactly: number).map { NSNumber(value: $0) }
        case (.integer64, .integer(let number)): NSNumber(value: number)
        case (.boolean, .bool(let flag)): NSNumber(value: flag)
        case (.double, _): number(json).map { NSNumber(value: $0) }
        case (.float, _): number(json).map { NSNumber(value: Float($0)) }
        case (.decimal, .string(let text)):
            text == "NaN" ? NSDecimalNumber.notANumber : Decimal(string: text, locale: nil).map { NSDecimalNumber(decimal: $0) }
        case (.string, .string(let text)): text
        case (.date, .string(let text)): DateText.seconds(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case (.date, _): number(json).map { Date(timeIntervalSinceReferenceDate: $0) }
        case (.binaryData, .string(let text)): Data(base64Encoded: text)
        case (.uuid, .string(let text)): UUID(uuidString: text)
        case (.uri, .string(let text)): URL(string: text)
        case (.composite, .object(let fields)): try composite(fields, attribute, place)
        default: nil
        }
    }

    private static func number(_ json: JSONValue) -> Double? {
        switch json {
        case .integer(let number): Double(number)
        case .real(let number): number
        case .string("inf"): .infinity
        case .string("-inf"): -.infinity
        case .string("nan"): .nan
        default: nil
        }
    }

    private static func composite(
        _ fields: [String: JSONValue], _ attribute: NSAttributeDescription, _ place: String
    ) throws -> [String: Any]? {
        guard let elements = (attribute as? NSCompositeAttributeDescription)?.elements else { return nil }
        var result: [String: Any] = [:]
        for (key, field) in fields {
            guard let element = elements.first(where: { $0.name == key }) else {
                throw ToolError("\(place) has no element “\(TextWidth.shown(key, limit: 60))”")
            }
            result[key] = try value(field, element, "\(place).\(key)")
        }
        return result
    }
}
