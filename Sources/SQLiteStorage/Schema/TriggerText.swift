/// The SQL of a trigger, looked at for whether Core Data may have made it.
struct TriggerText {
    let name: String
    let sql: String

    /// The triggers of derived attributes.
    private static let prefix = "Z_DA_"
    /// What they don't have. With these a trigger could run for ever, change other rows, or keep a row from being written.
    private static let foreignWords: Set<String> = [
        "WITH", "RECURSIVE", "RAISE", "JOIN", "INSTEAD", "DELETE", "INSERT", "REPLACE", "UNION", "VALUES",
    ]

    /// Whether Core Data makes such a trigger. Its form must do what the trigger is for, and end soon: it updates a column, and
    /// tells of that.
    var isOfCoreData: Bool {
        guard name.hasPrefix(Self.prefix) else { return false }
        // Comments could hide from here what SQLite sees.
        guard !sql.contains("--"), !sql.contains("/*") else { return false }
        var words = words
        guard let event = words.firstIndex(of: "AFTER"), event + 1 < words.count else { return false }
        words.remove(at: event + 1)
        guard words.allSatisfy({ !Self.foreignWords.contains($0) }), words.count(where: { $0 == "SELECT" }) <= 4 else {
            return false
        }
        // One table at a time: a product of tables takes for ever, too.
        return words.indices.allSatisfy { index in
            guard words[index] == "FROM" else { return true }
            let behind = words[(index + 1)...].prefix(3)
            return behind.count < 2 || !behind.contains(",") && behind.first != "("
        }
    }

    /// Names and keywords in upper case, and the marks between them; texts, comments and quoted names as one word each.
    private var words: [String] {
        var words: [String] = []
        var word = ""
        var quote: Character?
        for character in sql {
            if let end = quote {
                if character == end { quote = nil }
                continue
            }
            if character.isLetter || character.isNumber || character == "_" {
                word.append(character)
                continue
            }
            if !word.isEmpty { words.append(SQLName.uppercase(word)) }
            word = ""
            switch character {
            case "'", "\"", "`":
                quote = character
                words.append("\(character)")
            case "[":
                quote = "]"
                words.append("[")
            case _ where character.isWhitespace: break
            default: words.append("\(character)")
            }
        }
        if !word.isEmpty { words.append(SQLName.uppercase(word)) }
        return words
    }
}
