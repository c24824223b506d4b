import OpenCoreData

/// The article that shows the table of values.
enum ValueArticle {
    static let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Sources/OpenCoreData/Documentation.docc/Values.md")

    /// The other ways give what these give: a test proves it.
    private static let ways: [ValueTable.WayIn] = [.property, .key, .batchInsert, .batchUpdate, .modelDefault, .otherProgram]

    private static func typeName(_ attribute: String) -> String {
        switch HolderModel.attributes.first(where: { $0.name == attribute })?.type {
        case .integer16: "Integer 16"
        case .integer32: "Integer 32"
        case .integer64: "Integer 64"
        case .boolean: "Boolean"
        case .double: "Double"
        case .float: "Float"
        case .decimal: "Decimal"
        case .date: "Date"
        case .string: "String"
        case .uri: "URI"
        case .uuid: "UUID"
        case .binaryData: "Binary Data"
        default: "Transformable"
        }
    }

    static func text(_ values: [OddValue], _ outcomes: [[ValueTable.WayIn: ValueTable.Outcome]]) -> String {
        var lines = introduction
        lines.append("| Type | Value | Reads as | " + ways.map(\.rawValue).joined(separator: " | ") + " |")
        lines.append("| --- | --- | --- |" + ways.map { _ in " --- |" }.joined())
        for (value, outcomes) in zip(values, outcomes) {
            let read = ways.compactMap { way -> String? in
                if case .kept(let text)? = outcomes[way] { text } else { nil }
            }
            let cells = ways.map { cell(outcomes[$0] ?? .impossible, read.first) }
            let row = [typeName(value.attribute), value.label, read.first ?? "–"] + cells
            lines.append("| " + row.map(escaped).joined(separator: " | ") + " |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private static func cell(_ outcome: ValueTable.Outcome, _ expected: String?) -> String {
        switch outcome {
        case .impossible: "–"
        case .refused(let code): "error \(code)"
        case .unreadable(let code): "read: error \(code)"
        case .kept(let text): text == expected ? "kept" : text
        }
    }

    private static func escaped(_ text: String) -> String { text.replacingOccurrences(of: "|", with: "\\|") }

    private static let introduction = """
        # One meaning of a value

        What each type of attribute makes of values that programs seldom have, whichever way they come, and how they read.

        ## Overview

        A value means the same wherever it comes from and wherever it is read, or the way in refuses it with an error. A property, key-value coding, predicates in \
        memory and in the store, sort descriptors, distinct results, aggregates, dictionaries and observers agree on what an object has; files and stores in memory, \
        parents and children, optional and required attributes, and the elements of composites do, too.

        - **Numbers.** NaN is not a number: saving it is error 1550, as a date of NaN or infinite seconds is error 1650. Both infinities and the least numbers \
        stay; −0.0 is 0, of which SQLite keeps no sign. An integer takes whole numbers of its width: what is too large or too small is error 1610 or 1620, a fraction error 1550. Key-value coding does not stop \
        the program for these, as Apple's framework doesn't: the attribute reads as the nearest number until the save refuses the one that was set. The value of an \
        expression in a batch update is cut to its whole part.
        - **Booleans.** A number other than 0 is true, and 1 is what is stored. In a file that another program wrote, every integer but 0 is true, also for predicates.
        - **Decimals** have as many digits as a store keeps, some 16: a store keeps a floating-point number, as Apple's does. A value with more digits is rounded when it is \
        set, not at some later reading.
        - **Floats** are rounded to single precision when they are set, and when another program's are read. A number beyond the greatest `Float` is error 1610 or 1620.
        - **Texts** are equal if their code points are: é composed and é decomposed are two.
        - **URLs** need no scheme, and are kept as their absolute string.
        - **Other programs' texts.** A text that makes no URL, in a URI's column, is read as text by key and in dictionaries; a property has no value, and `value(of:)` says why. One that \
        makes a URL only with characters escaped, such as a space, reads as that URL, and queries in the store compare the text. In a text that is not UTF-8, U+FFFD stands for each part \
        that is not; queries in the store compare the bytes. None of these is written again unless the program sets another value.
        - **NaN in a predicate** equals nothing, itself included, and is neither less nor greater than anything. It is not nil.
        - **Sums** over both infinities are not a number: nil in a dictionary, NaN by the typed functions.
        - **Other programs' values.** A value of a storage class that its attribute never has (text in a date's column, say), a number that no decimal is, and an infinite date \
        are damage: reading the object, or the value in a dictionary, is error 259, which names file, attribute and row. The bytes stay as they are. An integer that is too wide \
        for its attribute is read as it is by key; a property whose type has no room for it has no value, and `value(of:)` says why. What the program did not set is neither \
        validated for its type nor written again.

        ## The table

        Made by a test, which fails when this page shows anything else; `OPENCOREDATA_WRITE_VALUES=1 make test ONLY=OpenCoreDataTests` writes it anew. "kept" stands for a value that is \
        read as the third column says by every way out, a dash for one that can't be given this way, an error's code for one that is refused, and "read: error" for one that another \
        program put into the file and that reading refuses. Hand-written properties with `@Managed`, required attributes, elements of composites and objects of child contexts do \
        what properties and key-value coding do.


        """.components(separatedBy: "\n")
}
