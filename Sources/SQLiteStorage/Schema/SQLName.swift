/// Names of tables and columns, as Core Data forms them.
enum SQLName {
    /// Letters beyond ASCII stay as they are.
    static func uppercase(_ name: String) -> String {
        String(decoding: name.utf8.map { $0 >= 0x61 && $0 <= 0x7a ? $0 - 0x20 : $0 }, as: UTF8.self)
    }

    /// Whether the name can stand in a statement without quotes.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty
            && name.utf8.allSatisfy {
                $0 == 0x5f || $0 >= 0x80 || ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x41 && $0 <= 0x5a) || ($0 >= 0x61 && $0 <= 0x7a)
            }
    }

    /// Code point order.
    static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

    /// `"name"`, for names that a file brings along.
    static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
