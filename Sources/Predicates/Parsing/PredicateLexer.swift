/// Cuts a format string into tokens, one at a time, in a single pass over its bytes.
struct PredicateLexer {
    let bytes: [UInt8]
    var position = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    /// A mistake and the byte at which it is.
    struct Failure: Error {
        let message: String
        let offset: Int
        var suggestion: String?
        var kind = InvalidPredicateError.Kind.syntax
    }

    mutating func next() throws -> PredicateToken {
        while let byte = peek(), byte <= 0x20 { position += 1 }
        let start = position
        guard let byte = peek() else { return PredicateToken(kind: .end, range: start..<start) }
        let kind = try token(byte)
        return PredicateToken(kind: kind, range: start..<position)
    }

    func peek(_ distance: Int = 0) -> UInt8? {
        position + distance < bytes.count ? bytes[position + distance] : nil
    }

    private mutating func take(_ byte: Character) -> Bool {
        guard let expected = byte.asciiValue, peek() == expected else { return false }
        position += 1
        return true
    }

    private mutating func token(_ byte: UInt8) throws -> PredicateToken.Kind {
        if Self.isWordStart(byte) { return try word() }
        if Self.isDigit(byte) { return try number() }
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return try string(byte)
        case UInt8(ascii: "$"): return .variable(try name("$", "a variable's name"))
        case UInt8(ascii: "@"): return .collectionOperator("@" + (try name("@", "a collection operator's name")))
        case UInt8(ascii: "#"): return .word(try name("#", "a key"), nil)
        case UInt8(ascii: "%"): return try argument()
        case UInt8(ascii: "."):
            // `.5` is a number, `a.5` would be one too and is caught by the parser.
            if let next = peek(1), Self.isDigit(next) { return try number() }
            position += 1
            return .symbol(.dot)
        default: return .symbol(try symbol(byte))
        }
    }

    // MARK: Words

    private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    private static func isWordStart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    private mutating func identifier() throws -> String {
        let start = position
        while let byte = peek(), Self.isWordStart(byte) || Self.isDigit(byte) { position += 1 }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        // ASCII was checked byte by byte; of other characters only letters, digits and their marks make names.
        var offset = start
        for scalar in text.unicodeScalars {
            if !scalar.isASCII, !scalar.properties.isIDContinue {
                throw Failure(message: "\"\(scalar)\" can't be part of a key or an operator", offset: offset)
            }
            offset += scalar.utf8.count
        }
        return text
    }

    /// Whether a text can be written as a key or a variable's name without quotes.
    static func isName(_ text: String) -> Bool {
        guard let first = text.utf8.first, isWordStart(first) else { return false }
        return text.unicodeScalars.allSatisfy {
            guard let byte = UInt8(exactly: $0.value), byte < 0x80 else { return $0.properties.isIDContinue }
            return isWordStart(byte) || isDigit(byte)
        }
    }

    /// A name after a sign. One that is not a word stands in quotes. That is not Apple's syntax, in which such names can't be
    /// written.
    private mutating func name(_ sign: String, _ what: String) throws -> String {
        position += 1
        if sign != "@", let quote = peek(), quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            guard case .string(let text) = try string(quote) else { return "" }
            return text
        }
        guard let byte = peek(), Self.isWordStart(byte) else {
            throw Failure(message: "\(what) is missing after \"\(sign)\"", offset: position)
        }
        return try identifier()
    }

    private mutating func word() throws -> PredicateToken.Kind {
        let word = try identifier()
        if peek() == UInt8(ascii: "-"), word.uppercased() == "UTI" {
            for keyword in [PredicateKeyword.utiConformsTo, .utiEquals] {
                let rest = keyword.rawValue.utf8.dropFirst(3)
                let end = position + rest.count
                guard end <= bytes.count, zip(bytes[position..<end], rest).allSatisfy({ $0 & 0xDF == $1 & 0xDF }) else {
                    continue
                }
                position = end
                return .word(keyword.rawValue, keyword)
            }
        }
        return .word(word, PredicateKeyword(word: word))
    }

    // MARK: Numbers

    private mutating func number() throws -> PredicateToken.Kind {
        let start = position
        if peek() == UInt8(ascii: "0"), let letter = peek(1) {
            for (sign, radix) in [("x", 16), ("o", 8), ("b", 2)] where letter | 0x20 == sign.utf8.first {
                position += 2
                return .number(try wholeNumber(radix: radix, from: start))
            }
        }
        digits()
        var isWhole = true
        if peek() == UInt8(ascii: "."), let next = peek(1), Self.isDigit(next) {
            isWhole = false
            position += 1
            digits()
        }
        if let byte = peek(), byte | 0x20 == UInt8(ascii: "e"), exponentFollows() {
            isWhole = false
            position += 1
            if let sign = peek(), sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
            digits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if let byte = peek(), Self.isWordStart(byte) {
            throw Failure(message: "a number can't be followed by a letter", offset: position)
        }
        if isWhole, let value = UInt64(text) {
            return .number(Int64(exactly: value).map(PredicateValue.integer) ?? .unsigned(value))
        }
        guard let value = Double(text) else { throw Failure(message: "\"\(text)\" is not a number", offset: start) }
        return .number(.double(value))
    }

    private mutating func digits() {
        while let byte = peek(), Self.isDigit(byte) { position += 1 }
    }

    private func exponentFollows() -> Bool {
        guard let next = peek(1) else { return false }
        if Self.isDigit(next) { return true }
        guard next == UInt8(ascii: "+") || next == UInt8(ascii: "-"), let digit = peek(2) else { return false }
        return Self.isDigit(digit)
    }

    private mutating func wholeNumber(radix: Int, from start: Int) throws -> PredicateValue {
        let first = position
        while let byte = peek(), Self.isDigit(byte) || Self.isWordStart(byte) { position += 1 }
        let text = String(decoding: bytes[first..<position], as: UTF8.self)
        guard let value = UInt64(text, radix: radix) else {
            let whole = String(decoding: bytes[start..<position], as: UTF8.self)
            throw Failure(message: "\"\(whole)\" is not a number of base \(radix) that fits into 64 bits", offset: start)
        }
        return Int64(exactly: value).map(PredicateValue.integer) ?? .unsigned(value)
    }

    // MARK: Arguments

    private mutating func argument() throws -> PredicateToken.Kind {
        let start = position
        position += 1
        if take("@") { return .objectArgument }
        if take("K") { return .keyArgument }
        while let byte = peek(), "-+ #0123456789.".utf8.contains(byte) { position += 1 }
        while let byte = peek(), "hlqLzjt".utf8.contains(byte) { position += 1 }
        guard let type = peek(), "dDiuUxXoOcCsSfFeEgGaA".utf8.contains(type) else {
            position = start
            throw Failure(
                message: "\"%\" must be followed by @ (a value), K (a key path) or a letter of printf such as d or f",
                offset: start,
                suggestion: peek(1) == UInt8(ascii: "%") ? "For a remainder write modulus:by:(a, b)" : nil)
        }
        position += 1
        if let byte = peek(), Self.isWordStart(byte) {
            throw Failure(message: "a letter can't follow an argument", offset: position)
        }
        return .valueArgument(type)
    }

    // MARK: Symbols

    private mutating func symbol(_ byte: UInt8) throws -> PredicateToken.Symbol {
        if let next = peek(1), next < 0x80 {
            let pair = String(decoding: [byte, next], as: UTF8.self)
            let symbol: PredicateToken.Symbol? =
                switch pair {
                case "<>": .notEqual
                case "=<": .lessOrEqual
                case "=>": .greaterOrEqual
                default: PredicateToken.Symbol(rawValue: pair)
                }
            if let symbol {
                position += 2
                return symbol
            }
        }
        guard let symbol = byte == UInt8(ascii: "=") ? .equal : PredicateToken.Symbol(rawValue: String(Unicode.Scalar(byte)))
        else {
            let suggestion = byte == UInt8(ascii: "?") ? "For an argument write %@." : nil
            throw Failure(message: "\"\(Unicode.Scalar(byte))\" has no meaning here", offset: position, suggestion: suggestion)
        }
        position += 1
        return symbol
    }
}
