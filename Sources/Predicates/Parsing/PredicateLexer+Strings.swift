extension PredicateLexer {
    /// Reads a text in quotes.
    ///
    /// The escapes are `\n`, `\t`, `\r`, `\"`, `\'`, `\\` and `\uXXXX`. Before any other character the backslash stays, so that
    /// `'\d+'` is the regular expression it looks like.
    mutating func string(_ quote: UInt8) throws -> PredicateToken.Kind {
        let start = position
        position += 1
        var result: [UInt8] = []
        while let byte = peek() {
            position += 1
            if byte == quote { return .string(String(decoding: result, as: UTF8.self)) }
            guard byte == UInt8(ascii: "\\"), let escaped = peek() else {
                result.append(byte)
                continue
            }
            position += 1
            switch escaped {
            case UInt8(ascii: "n"): result.append(UInt8(ascii: "\n"))
            case UInt8(ascii: "t"): result.append(UInt8(ascii: "\t"))
            case UInt8(ascii: "r"): result.append(UInt8(ascii: "\r"))
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\"): result.append(escaped)
            case UInt8(ascii: "u"):
                if let scalar = unicodeEscape() {
                    result += Array(String(scalar).utf8)
                } else {
                    result += [UInt8(ascii: "\\"), escaped]
                }
            default: result += [UInt8(ascii: "\\"), escaped]
            }
        }
        throw Failure(message: "the closing \(Unicode.Scalar(quote)) of this text is missing", offset: start)
    }

    /// The code point of four hexadecimal digits, or of a pair of surrogates; nil, and nothing read, if there is none.
    private mutating func unicodeEscape() -> Unicode.Scalar? {
        guard let first = hexadecimal(at: position) else { return nil }
        if let scalar = Unicode.Scalar(first) {
            position += 4
            return scalar
        }
        guard 0xD800..<0xDC00 ~= first, position + 5 < bytes.count, bytes[position + 4] == UInt8(ascii: "\\"),
            bytes[position + 5] == UInt8(ascii: "u"), let second = hexadecimal(at: position + 6), 0xDC00..<0xE000 ~= second,
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { return nil }
        position += 10
        return scalar
    }

    private func hexadecimal(at offset: Int) -> UInt32? {
        guard offset + 4 <= bytes.count else { return nil }
        let digits = bytes[offset..<(offset + 4)]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        return UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    }
}
