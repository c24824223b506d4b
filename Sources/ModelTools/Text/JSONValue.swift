/// A JSON value that is written in one way only: keys sorted, numbers as short as they can be read back exactly.
package enum JSONValue: Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    package init(_ text: String?) { self = text.map(JSONValue.string) ?? .null }

    package init(_ number: Int) { self = .integer(Int64(number)) }

    /// The value on one line.
    package var line: String {
        var text = ""
        write(to: &text, indent: nil)
        return text
    }

    /// The value for people, each member on a line of its own.
    package var pretty: String {
        var text = ""
        write(to: &text, indent: 0)
        return text
    }

    private func write(to text: inout String, indent: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        // JSON has no such numbers.
        case .real(let value): text += value.isFinite ? "\(value)" : "\"\(value)\""
        case .string(let value): Self.write(value, to: &text)
        case .array(let values):
            Self.write(values.map { (nil, $0) }, "[", "]", to: &text, indent)
        case .object(let values):
            let members = values.sorted { $0.key.unicodeScalars.lexicographicallyPrecedes($1.key.unicodeScalars) }
            Self.write(members.map { ($0.key, $0.value) }, "{", "}", to: &text, indent)
        }
    }

    private static func write(
        _ members: [(key: String?, value: JSONValue)], _ open: String, _ close: String, to text: inout String, _ indent: Int?
    ) {
        text += open
        for (place, member) in members.enumerated() {
            if place > 0 { text += indent == nil ? ", " : "," }
            if let indent { text += "\n" + String(repeating: "  ", count: indent + 1) }
            if let key = member.key {
                write(key, to: &text)
                text += ": "
            }
            member.value.write(to: &text, indent: indent.map { $0 + 1 })
        }
        if let indent, !members.isEmpty { text += "\n" + String(repeating: "  ", count: indent) }
        text += close
    }

    private static func write(_ value: String, to text: inout String) {
        text += "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || TextWidth.isHidden(scalar):
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16)
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
