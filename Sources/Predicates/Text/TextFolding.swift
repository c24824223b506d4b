package import Foundation

/// Brings texts into a form in which those that differ only in case or diacritics are the same: what `[c]` and `[d]` compare, in
/// memory and in a store.
///
/// Case is folded as Unicode says for all languages (ß is ss, ς is σ). Diacritics are the combining marks of the European
/// scripts; ø and ł have none, and the marks of other scripts, which change the word, stay.
package enum TextFolding {
    /// The folded form of a text.
    ///
    /// - Parameters:
    ///   - text: any text.
    ///   - options: `caseInsensitive`, `diacriticInsensitive` or both. `normalized` says that the text is folded already; then,
    ///     and without options, the text comes back as it is. `localeSensitive` folds by the rules of the current locale.
    package static func fold(_ text: String, _ options: _NSComparisonPredicate.Options) -> String {
        if options.contains(.normalized) { return text }
        let ignoresCase = options.contains(.caseInsensitive)
        let ignoresMarks = options.contains(.diacriticInsensitive)
        guard ignoresCase || ignoresMarks else { return text }
        if options.contains(.localeSensitive) {
            return text.folding(options: TextOrder.compareOptions(options), locale: .current)
        }
        return fold(text, ignoresCase: ignoresCase, ignoresMarks: ignoresMarks)
    }

    private static func fold(_ text: String, ignoresCase: Bool, ignoresMarks: Bool) -> String {
        var text = text
        // Nearly all texts are ASCII or Latin letters with a table entry; the rest takes Foundation's normalization, which costs
        // microseconds.
        let result = text.withUTF8 { bytes in foldASCII(bytes, ignoresCase) ?? foldLatin(bytes, ignoresCase, ignoresMarks) }
        return result ?? foldAny(text, ignoresCase, ignoresMarks)
    }

    private static func foldASCII(_ bytes: UnsafeBufferPointer<UInt8>, _ ignoresCase: Bool) -> String? {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        guard ignoresCase else { return String(decoding: bytes, as: UTF8.self) }
        return String(unsafeUninitializedCapacity: bytes.count) { target in
            for (index, byte) in bytes.enumerated() { target[index] = lowercase(byte) }
            return bytes.count
        }
    }

    private static func lowercase(_ byte: UInt8) -> UInt8 {
        byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
    }

    // MARK: Latin letters

    /// The folded bytes of the scalars below U+0300 and from U+1E00 to U+1EFF, for one pair of options.
    private struct Table {
        let low: [[UInt8]]
        let additional: [[UInt8]]

        init(ignoresCase: Bool, ignoresMarks: Bool) {
            func entries(_ range: Range<UInt32>) -> [[UInt8]] {
                range.map { value in
                    guard let scalar = Unicode.Scalar(value) else { return [] }
                    return Array(foldAny(String(Character(scalar)), ignoresCase, ignoresMarks).utf8)
                }
            }
            low = entries(0..<0x300)
            additional = entries(0x1E00..<0x1F00)
        }

        func bytes(_ scalar: UInt32) -> [UInt8]? {
            if scalar < 0x300 { return low[Int(scalar)] }
            return 0x1E00..<0x1F00 ~= scalar ? additional[Int(scalar - 0x1E00)] : nil
        }
    }

    private static let caseTable = Table(ignoresCase: true, ignoresMarks: false)
    private static let markTable = Table(ignoresCase: false, ignoresMarks: true)
    private static let bothTable = Table(ignoresCase: true, ignoresMarks: true)

    private static func foldLatin(_ bytes: UnsafeBufferPointer<UInt8>, _ ignoresCase: Bool, _ ignoresMarks: Bool) -> String? {
        let table = ignoresCase ? (ignoresMarks ? bothTable : caseTable) : markTable
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte < 0x80 {
                result.append(ignoresCase ? lowercase(byte) : byte)
                index += 1
            } else {
                // A String's bytes are valid, so the first one tells the length; four are never Latin.
                let length = byte < 0xE0 ? 2 : 3
                guard byte < 0xF0 else { return nil }
                let lead = UInt32(byte & (length == 2 ? 0x1F : 0x0F))
                let scalar = bytes[(index + 1)..<(index + length)].reduce(lead) { $0 << 6 | UInt32($1 & 0x3F) }
                guard let folded = table.bytes(scalar) else { return nil }
                result += folded
                index += length
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    // MARK: All scripts

    private static func foldAny(_ text: String, _ ignoresCase: Bool, _ ignoresMarks: Bool) -> String {
        var text = text
        if ignoresMarks {
            var bare = String.UnicodeScalarView()
            bare.append(contentsOf: text.decomposedStringWithCanonicalMapping.unicodeScalars.filter { !isMark($0.value) })
            text = String(bare)
        }
        text = text.precomposedStringWithCanonicalMapping
        guard ignoresCase else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar.value == 0x131 {  // The dotless i is not a variant of i, though both have the capital I.
                result.unicodeScalars.append(scalar)
            } else {
                for capital in scalar.properties.uppercaseMapping.unicodeScalars { result += capital.properties.lowercaseMapping }
            }
        }
        return result
    }

    private static func isMark(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0x300...0x36F, 0x483...0x487, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF, 0xFE20...0xFE2F: true
        default: false
        }
    }
}
