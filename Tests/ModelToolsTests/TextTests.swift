import ModelTools
import Testing

struct TextTests {
    @Test("Control characters and marks of direction are shown, not obeyed")
    func escapes() {
        #expect(TextWidth.shown("a\u{1B}[31mb\u{202E}c\nd") == "a\\u{1B}[31mb\\u{202E}c\\nd")
        #expect(JSONValue.string("a\u{1B}\u{202E}\"\\\n").line == #""a\u001b\u202e\"\\\n""#)
    }

    @Test("East Asian characters and pictures take two columns, marks none")
    func widths() {
        #expect(TextWidth.columns("日本") == 4)
        #expect(TextWidth.columns("e\u{301}") == 1)
        #expect(TextWidth.columns("👩‍👩‍👧") == 2)
        #expect(TextWidth.shown("日本語", limit: 4) == "日…")
        #expect(TextWidth.shown("abcdef", limit: 4) == "abc…")
    }

    @Test("A table keeps its columns straight, cuts the widest first, and cuts huge values")
    func table() {
        var table = TextTable([.init("name"), .init("n", isNumeric: true), .init("text")])
        table.add(["日本", "1", "x"])
        table.add(["ab", "100", String(repeating: "y", count: 10_000_000)])
        let lines = table.lines(width: 30)
        #expect(lines[0] == "name    n  text")
        #expect(lines[1] == "日本    1  x")
        #expect(lines[2] == "ab    100  " + String(repeating: "y", count: 18) + "…")
        #expect(lines.allSatisfy { TextWidth.columns($0) <= 30 })
    }

    @Test("JSON has sorted keys and exact numbers")
    func json() {
        let value = JSONValue.object(["b": .array([.integer(.max), .real(0.1), .null, .bool(true)]), "a": .real(.infinity)])
        #expect(value.line == #"{"a": "inf", "b": [9223372036854775807, 0.1, null, true]}"#)
        #expect(
            value.pretty == "{\n  \"a\": \"inf\",\n  \"b\": [\n    9223372036854775807,\n    0.1,\n    null,\n    true\n  ]\n}")
    }
}
