/// How texts from a store appear in a terminal.
package enum TextWidth {
    /// How many columns a text takes.
    package static func columns(_ text: String) -> Int { text.reduce(0) { $0 + columns($1) } }

    /// How many columns a character takes: 2 for those of East Asian scripts and pictures, 0 for marks alone.
    package static func columns(_ character: Character) -> Int {
        guard let first = character.unicodeScalars.first else { return 0 }
        if first.isASCII { return 1 }
        let properties = first.properties
        if properties.generalCategory == .nonspacingMark || properties.generalCategory == .enclosingMark { return 0 }
        let isPicture = properties.isEmojiPresentation || character.unicodeScalars.contains { $0.value == 0xFE0F }
        return isPicture || isWide(first.value) ? 2 : 1
    }

    /// The blocks that Unicode's East Asian Width calls wide or full-width.
    private static func isWide(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
            0xA960...0xA97C, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6,
            0x1B000...0x1B2FF, 0x20000...0x3FFFD:
            true
        default: false
        }
    }

    /// Whether a character can't be seen and can change how others are seen: what turns the direction of writing, and what has no
    /// width.
    package static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x80...0x9F, 0xAD, 0x61C, 0x180E, 0x200B, 0x200E, 0x200F, 0x2028...0x202E, 0x2060...0x206F, 0xFEFF, 0xFFF9...0xFFFB,
            0xE0000...0xE0001:
            true
        default: false
        }
    }

    /// A text on one line with nothing in it that steers a terminal, and at most so many columns wide.
    package static func shown(_ text: String, limit: Int? = nil) -> String {
        var result = ""
        var width = 0
        for character in text {
            let piece = escaped(character)
            let columns = columns(piece)
            if let limit, width + columns > limit {
                while width > limit - 1, let last = result.last {
                    width -= Self.columns(last)
                    result.removeLast()
                }
                return limit > 0 ? result + "…" : ""
            }
            result += piece
            width += columns
        }
        return result
    }

    private static func escaped(_ character: Character) -> String {
        if character.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F && !isHidden($0) }) {
            return String(character)
        }
        return character.unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F || isHidden(scalar):
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
