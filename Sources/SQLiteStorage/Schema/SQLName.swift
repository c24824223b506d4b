/// The name of a table, column, index or trigger that may stand in a statement as it is.
///
/// Models and files can hold any text as a name. Each one is checked here before it becomes part of a statement. A name can't be
/// made in any other way.
struct SQLName: Hashable, CustomStringConvertible {
    /// What the name looks like in a statement.
    let text: String

    /// - Returns: Nil if the text is not plain.
    init?(_ text: String) {
        guard Self.isPlain(text) else { return nil }
        self.text = text
    }

    var description: String { text }

    /// By bytes, as SQLite compares: strings that look the same can have different ones.
    static func == (a: SQLName, b: SQLName) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

    func hash(into hasher: inout Hasher) {
        for byte in text.utf8 { hasher.combine(byte) }
    }

    static let primaryKey = SQLName(known: "Z_PK")
    static let entityNumber = SQLName(known: "Z_ENT")
    static let version = SQLName(known: "Z_OPT")

    /// A name that this program gives.
    init(known text: StaticString) { self.text = text.description }

    // MARK: Texts

    /// Upper-cases as Core Data does: letters beyond ASCII stay as they are.
    static func uppercase(_ name: String) -> String {
        String(decoding: name.utf8.map { $0 >= 0x61 && $0 <= 0x7a ? $0 - 0x20 : $0 }, as: UTF8.self)
    }

    /// Whether a text can be a name, or part of one, without quotes: letters and digits of any alphabet, emoji, and underscores.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty
            && name.unicodeScalars.allSatisfy {
                switch $0.value {
                case 0x5f, 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
                case ..<0x80: false
                default: $0.properties.isXIDContinue || $0.properties.isEmoji
                }
            }
    }

    /// Code point order.
    static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

    /// `"name"`, for a name that a file brings along and that need not be plain.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
