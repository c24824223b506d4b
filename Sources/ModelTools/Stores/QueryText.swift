/// The parts of `Movie where rating > 7 group by genre select count, avg(minutes)`.
package struct QueryText: Equatable {
    package var entity = ""
    package var condition: String?
    package var groupKeys: [String] = []
    package var columns: [String] = []

    private static let keywords: [[String]] = [["where"], ["group", "by"], ["select"]]

    /// - Throws: `ToolError` for parts that are missing or said twice.
    package init(_ text: String) throws {
        var parts: [(keyword: String, text: String)] = [("", "")]
        let words = Self.words(text)
        var place = 0
        while place < words.count {
            let keyword = Self.keywords.first { keyword in
                place + keyword.count <= words.count
                    && zip(keyword, words[place...]).allSatisfy { $0 == $1.text.lowercased() && $1.isPlain }
            }
            if let keyword {
                parts.append((keyword.joined(separator: " "), ""))
                place += keyword.count
            } else {
                parts[parts.count - 1].text += (parts[parts.count - 1].text.isEmpty ? "" : words[place].space) + words[place].text
                place += 1
            }
        }
        entity = parts[0].text
        guard !entity.isEmpty else { throw ToolError.usage("the query has no entity", hint: "write 'Movie where rating > 7'") }
        guard !entity.contains(" ") else {
            throw ToolError.usage("“\(TextWidth.shown(entity, limit: 60))” is not an entity", hint: "a query is: \(Self.form)")
        }
        for part in parts.dropFirst() {
            guard !part.text.isEmpty else {
                throw ToolError.usage("nothing follows “\(part.keyword)”", hint: "a query is: \(Self.form)")
            }
            switch part.keyword {
            case "where" where condition == nil: condition = part.text
            case "group by" where groupKeys.isEmpty: groupKeys = StorePredicate.keys(part.text)
            case "select" where columns.isEmpty: columns = StorePredicate.keys(part.text)
            default: throw ToolError.usage("“\(part.keyword)” is there twice")
            }
        }
    }

    package static let form = "ENTITY [where PREDICATE] [group by KEYS] [select count, sum(KEY), avg(KEY), min(KEY), max(KEY)]"

    /// Words with the space before them. What is quoted or in brackets is no keyword.
    private static func words(_ text: String) -> [(space: String, text: String, isPlain: Bool)] {
        var words: [(space: String, text: String, isPlain: Bool)] = []
        var (space, word, isPlain, depth) = ("", "", true, 0)
        var quote: Character?
        var isEscaped = false
        for character in text {
            if quote == nil, character.isWhitespace {
                if !word.isEmpty { words.append((space, word, isPlain)) }
                if !word.isEmpty { space = "" }
                (word, isPlain) = ("", depth == 0)
                space.append(character)
                continue
            }
            word.append(character)
            if let open = quote {
                if !isEscaped, character == open { quote = nil }
                isEscaped = !isEscaped && character == "\\"
                continue
            }
            switch character {
            case "\"", "'": (quote, isPlain) = (character, false)
            case "(", "{": depth += 1
            case ")", "}": depth = max(0, depth - 1)
            default: break
            }
        }
        if !word.isEmpty { words.append((space, word, isPlain)) }
        return words
    }
}
