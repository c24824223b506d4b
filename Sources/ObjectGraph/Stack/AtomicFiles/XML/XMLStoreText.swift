import Foundation

/// Texts in XML stores.
///
/// A character that XML does not have, or that is part of its markup, may be written as a backslash, the letter u, and the two
/// bytes of its UTF-16 code unit, the lower one first: `\u3c00` is `<`. Apple's framework has written texts so.
enum XMLStoreText {
    /// Whether all characters are among those that XML has.
    static func canHold(_ text: String) -> Bool { text.unicodeScalars.allSatisfy { !isForbidden($0) } }

    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x9, 0xa, 0xd: false
        case 0..<0x20, 0xfffe, 0xffff: true
        default: false
        }
    }

    // MARK: Writing

    /// The content of an element.
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 || "&<>\\".utf8.contains($0) || $0 == 0xef }) else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count + 16)
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            // A reader takes a plain one for the end of a line.
            case "\r": result += "&#13;"
            case "\\" where unit(rest) != nil: result += code(scalar)
            case _ where isForbidden(scalar): result += code(scalar)
            default: result.unicodeScalars.append(scalar)
            }
            rest = rest.dropFirst()
        }
        return result
    }

    /// The value of an attribute in a tag.
    static func quoted(_ text: String) -> String {
        "\"" + escapedName(text) + "\""
    }

    private static func escapedName(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func code(_ scalar: Unicode.Scalar) -> String {
        let digits = String(scalar.value & 0xff, radix: 16)
        let high = String(scalar.value >> 8, radix: 16)
        return "\\u" + (digits.count < 2 ? "0" : "") + digits + (high.count < 2 ? "0" : "") + high
    }

    // MARK: Reading

    /// A text as it was before it was written.
    static func plain(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        var result = ""
        result.reserveCapacity(text.utf8.count)
        var rest = text.unicodeScalars[...]
        while let scalar = rest.first {
            if scalar == "\\", let unit = unit(rest) {
                result.unicodeScalars.append(unit)
                rest = rest.dropFirst(6)
            } else {
                result.unicodeScalars.append(scalar)
                rest = rest.dropFirst()
            }
        }
        return result
    }

    /// The character that a text begins with, if that is written as a code. Codes of other characters are plain text: they
    /// stand in texts of many kinds.
    private static func unit(_ text: Substring.UnicodeScalarView) -> Unicode.Scalar? {
        let code = text.prefix(6)
        guard code.count == 6, code.dropFirst().first == "u" else { return nil }
        let digits = code.dropFirst(2).compactMap { $0.isASCII ? Character($0).hexDigitValue.map(UInt32.init) : nil }
        guard digits.count == 4 else { return nil }
        let value = digits[2] << 12 | digits[3] << 8 | digits[0] << 4 | digits[1]
        guard let scalar = Unicode.Scalar(value), isForbidden(scalar) || "<>&\\\t\n\r".unicodeScalars.contains(scalar) else {
            return nil
        }
        return scalar
    }
}
