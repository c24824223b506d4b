import OpenCoreData

/// Values as texts that tell any two apart.
enum ValueText {
    static func show(_ value: Any?) -> String {
        switch value {
        case nil: return "nil"
        case let value as NSDecimalNumber: return short("\(value.decimalValue)")
        case let value as NSNumber: return number(value)
        case let value as Date: return "\(value.timeIntervalSinceReferenceDate == 0 ? 0 : value.timeIntervalSinceReferenceDate) s"
        case let value as String: return quoted(value)
        case let value as URL: return value.absoluteString
        case let value as UUID: return value.uuidString
        case let value as Data: return value.count > 8 ? "\(value.count) bytes" : "x'" + value.map { hex($0) }.joined() + "'"
        case let value as [String]: return "\(value)"
        case .some(let other): return "\(type(of: other))"
        }
    }

    private static func number(_ number: NSNumber) -> String {
        switch UInt8(bitPattern: number.objCType.pointee) {
        // Both zeros are one number: SQLite keeps no sign of it.
        case UInt8(ascii: "d") where number.doubleValue == 0, UInt8(ascii: "f") where number.doubleValue == 0: "0.0"
        case UInt8(ascii: "d"): "\(number.doubleValue)"
        case UInt8(ascii: "f"): "\(number.floatValue)"
        default: "\(number.int64Value)"
        }
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    private static func quoted(_ text: String) -> String {
        if text.utf8.count > 40 { return "\(text.utf8.count) bytes of text" }
        return "\""
            + text.unicodeScalars.map { $0.isASCII && $0.value >= 32 ? String($0) : "\\u{\(String($0.value, radix: 16))}" }
            .joined()
            + "\""
    }

    /// Decimals of very many places by their floating-point numbers.
    private static func short(_ text: String) -> String { text.count > 42 ? Double(text).map { "\($0)" } ?? text : text }
}
