/// Reads JSON with all digits of its numbers.
package struct JSONReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var place = 0
    private static let greatestDepth = 100

    /// - Throws: `ToolError` with the line of the mistake.
    package static func read(_ bytes: UnsafeBufferPointer<UInt8>) throws -> JSONValue {
        var reader = JSONReader(bytes: bytes)
        let value = try reader.value(0)
        reader.skipSpace()
        guard reader.place == bytes.count else { throw reader.failure("something follows the value") }
        return value
    }

    package static func read(_ text: String) throws -> JSONValue {
        try Array(text.utf8).withUnsafeBufferPointer { try read($0) }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

    private func failure(_ reason: String) -> ToolError {
        let line = bytes.prefix(place).count { $0 == UInt8(ascii: "\n") } + 1
        return ToolError("the JSON can't be read, line \(line): \(reason)")
    }

    private mutating func skipSpace() {
        while place < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[place]) { place += 1 }
    }

    private mutating func take(_ character: Character) -> Bool {
        skipSpace()
        guard place < bytes.count, bytes[place] == character.asciiValue else { return false }
        place += 1
        return true
    }

    private mutating func value(_ depth: Int) throws -> JSONValue {
        guard depth < Self.greatestDepth else { throw failure("it is nested too deeply") }
        if take("{") {
            var members: [String: JSONValue] = [:]
            if take("}") { return .object(members) }
            repeat {
                guard take("\"") else { throw failure("a name in quotes is missing") }
                let name = try string()
                guard take(":") else { throw failure("a colon is missing after “\(TextWidth.shown(name, limit: 40))”") }
                guard members.updateValue(try value(depth + 1), forKey: name) == nil else {
                    throw failure("“\(TextWidth.shown(name, limit: 40))” is there twice")
                }
            } while take(",")
            guard take("}") else { throw failure("a comma or } is missing") }
            return .object(members)
        }
        if take("[") {
            var values: [JSONValue] = []
            if take("]") { return .array(values) }
            repeat { values.append(try value(depth + 1)) } while take(",")
            guard take("]") else { throw failure("a comma or ] is missing") }
            return .array(values)
        }
        if take("\"") { return .string(try string()) }
        let start = place
        while place < bytes.count, !" \t\n\r,]}:".utf8.contains(bytes[place]) { place += 1 }
        let word = String(decoding: bytes[start..<place], as: UTF8.self)
        switch word {
        case "null": return .null
        case "true": return .bool(true)
        case "false": return .bool(false)
        default: break
        }
        if let number = Int64(word) { return .integer(number) }
        // Swift's own reading takes names of numbers, too.
        if word.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }), let number = Double(word) { return .real(number) }
        throw failure(word.isEmpty ? "a value is missing" : "“\(TextWidth.shown(word, limit: 40))” is not a value")
    }

    /// The text up to the closing quote.
    private mutating func string() throws -> String {
        var text: [UInt8] = []
        while place < bytes.count {
            let byte = bytes[place]
            place += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let result = String(validating: text, as: UTF8.self) else { throw failure("a text is not UTF-8") }
                return result
            case UInt8(ascii: "\\"): text += try escape()
            case ..<0x20: throw failure("a text has a control character in it")
            default: text.append(byte)
            }
        }
        throw failure("a text has no end")
    }

    private mutating func escape() throws -> [UInt8] {
        guard place < bytes.count else { throw failure("a text has no end") }
        let byte = bytes[place]
        place += 1
        switch byte {
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "u"):
            var units = [try unit()]
            if UTF16.isLeadSurrogate(units[0]), place + 1 < bytes.count, bytes[place] == UInt8(ascii: "\\"),
                bytes[place + 1] == UInt8(ascii: "u")
            {
                place += 2
                units.append(try unit())
            }
            guard let text = String(validating: units, as: UTF16.self) else { throw failure("half of a character is missing") }
            return Array(text.utf8)
        default: throw failure("a text has a backslash that means nothing")
        }
    }

    private mutating func unit() throws -> UInt16 {
        guard place + 4 <= bytes.count else { throw failure("a text has no end") }
        let digits = String(decoding: bytes[place..<place + 4], as: UTF8.self)
        guard digits.allSatisfy(\.isHexDigit), let unit = UInt16(digits, radix: 16) else {
            throw failure("\\u needs four digits")
        }
        place += 4
        return unit
    }
}
