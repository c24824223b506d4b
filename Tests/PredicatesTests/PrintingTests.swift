import Foundation
import TestSupport
import Testing

@testable import Predicates

@Suite("Predicates as text")
struct PrintingTests {
    private func expect(
        _ format: String, _ printed: String? = nil, _ arguments: Any?..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let node = try PredicateParser.predicate(format, arguments)
        let text = PredicatePrinter.print(node)
        #expect(text == printed ?? format, sourceLocation: sourceLocation)
        #expect(try PredicateParser.predicate(text, []) == node, sourceLocation: sourceLocation)
    }

    @Test("PRD-150: operators and options")
    func operators() throws {
        for name in ["==", "!=", "<", "<=", ">", ">=", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES", "IN"] {
            try expect("name \(name) \"x\"")
            try expect("name \(name)[cd] \"x\"")
        }
        try expect("a BETWEEN {1, 2}")
        try expect("a CONTAINS[dc] 'x'", "a CONTAINS[cd] \"x\"")
        try expect("a ==[nl] b", "a ==[nl] b")
        try expect("a = b", "a == b")
        try expect("a <> b", "a != b")
    }

    @Test("PRD-151: texts, numbers, Booleans and nil")
    func constants() throws {
        try expect(#"a == 'it\'s "x" \\ y\n\t\r\u0001'"#, #"a == "it's \"x\" \\ y\n\t\r\u0001""#)
        try expect("a == 'é😀'", "a == \"é😀\"")
        try expect("a == 1.5")
        try expect("a == -2")
        try expect("a == 8.0", "a == 8")
        try expect("a == 1e100", "a == 1e+100")
        try expect("a == %@", "a == -9.223372036854776e+18", Double(Int64.min))
        try expect("a == 1e999")
        try expect("a == -1e999")
        try expect("a == 18446744073709551615")
        try expect("a == YES", "a == 1")
        try expect("a == FALSE", "a == 0")
        try expect("category == NULL", "category == nil")
        try expect("category != %@", "category != nil", nil)
    }

    @Test("PRD-152, PRD-158: dates, and the values that Apple prints in a form that can't be read")
    func values() throws {
        try expect("a == %@", "a == CAST(3.500000, \"NSDate\")", Date(timeIntervalSinceReferenceDate: 3.5))
        let exact = 700_000_000.123456789
        try expect("a == %@", "a == CAST(\(exact), \"NSDate\")", Date(timeIntervalSinceReferenceDate: exact))
        let uuid = UUID()
        try expect("a == %@", "a == CAST(\"\(uuid.uuidString)\", \"NSUUID\")", uuid)
        try expect("a == %@", "a == CAST(\"AQL/\", \"NSData\")", Data([1, 2, 255]))
        try expect("a == %@", "a == CAST(\"https://a.b/c\", \"NSURL\")", NSURL(string: "https://a.b/c"))
        try expect("a == %@", "a == CAST(\"0.1\", \"NSDecimalNumber\")", Decimal(string: "0.1"))
        try expect("a == %@", "a == 5", Decimal(5))
    }

    @Test("PRD-153: collections, key paths, variables, SELF")
    func structure() throws {
        try expect("a IN {1, \"x\", b}")
        try expect("a IN %@", "a IN {3, 1}", [3, 1])
        try expect("a IN %@", "a IN {1, 2, 3}", Set([3, 1, 2]))
        try expect("a IN {}")
        try expect("SELF == $x")
        try expect("SELF.a.b == $x.c", "a.b == $x.c")
        try expect("SELF IN %@", "SELF IN {1, 2}", [1, 2])
        try expect("@count == 1", "SELF.@count == 1")
        try expect("a.@max.b == 1")
    }

    @Test("PRD-154: parentheses where they are needed and only there")
    func parentheses() throws {
        try expect("(a == 1 OR b == 2) AND c == 3")
        try expect("a == 1 OR (b == 2 AND c == 3)")
        try expect("(a == 1 AND b == 2) AND c == 3")
        try expect("NOT a == 1")
        try expect("NOT (a == 1 AND b == 2)")
        try expect("NOT (a == 1) AND b == 1", "NOT a == 1 AND b == 1")
        try expect("a + b * c == (a + b) * c")
        try expect("a - (b - c) == a - b - c")
        try expect("a ** b ** c == (a ** b) ** c")
        try expect("-(-a) == -(1)", "--a == -(1)")
        try expect("(-2) ** 2 == -2 ** 2")
        try expect("a ** -2 == 2 ** a")
        try expect("(a | b) & c == a << b >> c")
        try expect("(a + b).x == (1).x")
        try expect("(a UNION b).@count == 1")
    }

    @Test("PRD-155: ANY and ALL; SOME as ANY, NONE as NOT ANY")
    func quantifiers() throws {
        try expect("ANY tags.name == \"x\"")
        try expect("ALL tags.name == \"x\"")
        try expect("SOME tags.name == 'x'", "ANY tags.name == \"x\"")
        try expect("NONE tags.name == 'x'", "NOT ANY tags.name == \"x\"")
    }

    @Test("PRD-156: SUBQUERY")
    func subqueries() throws {
        try expect("SUBQUERY(children, $x, $x.age > 3).@count == 0")
        try expect(
            "SUBQUERY(tags,$e,$e.tag_name contains[cd] 'legacy').@count = 0",
            "SUBQUERY(tags, $e, $e.tag_name CONTAINS[cd] \"legacy\").@count == 0")
    }

    @Test("PRD-157: functions, conditionals, casts, indexes")
    func functions() throws {
        try expect("sum(a) == average(b)")
        try expect("modulus:by:(a, 2) == 1")
        try expect("add:to:(a, b) == 1", "a + b == 1")
        try expect("canonical:(a) == lowercase:(b)", "canonical:(a) == lowercase(b)")
        try expect("TERNARY(a == 1, a, b).length == 0")
        try expect("FUNCTION(a, \"load:\", b) == 1")
        try expect("FETCH(a, $c, NO) == FETCH(a, $c, YES)")
        try expect("CAST(a, \"NSDate\") > now()")
        try expect("a[0] == b[FIRST]")
        try expect("a[\"k\"].b == c[LAST] + d[SIZE]")
        try expect("random(5) == random()", "random:(5) == random()")
    }

    @Test("In arithmetic a whole floating-point number keeps its fraction, without which a division would change")
    func arithmetic() throws {
        try expect("7 / 2.0 == a")
        try expect("(a + 2.0) / 2 == TERNARY(b == 2, 4.0, 1) / 3", "(a + 2.0) / 2 == TERNARY(b == 2, 4.0, 1) / 3")
        try expect("max({2.0, 4.0}) / 3 == b")
    }

    @Test("PRD-160: reserved words used as keys get a sign")
    func reservedWords() throws {
        try expect("size == 1", "#size == 1")
        try expect("%K == 1", "#in.a.#Any == 1", "in.a.Any")
        try expect("a.@max.self == 1", "a.@max.#self == 1")
    }

    @Test("PRD-159: closures and objects are readable but can't be read back")
    func unprintable() throws {
        let block = NSPredicate { _, _ in true }
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [NSPredicate(format: "a == 1"), block])
        let text = PredicatePrinter.print(PredicateNode(compound))
        #expect(text.hasPrefix("a == 1 AND BLOCKPREDICATE(0x"))
        #expect(throws: InvalidPredicateError.self) { try NSPredicate(validating: text) }
        #expect("\(NSPredicate(format: "a == %@", Film()))".contains("<Film: "))
    }

    @Test("PRD-12: the constants")
    func truth() throws {
        #expect(PredicatePrinter.print(PredicateNode(NSPredicate(value: true))) == "TRUEPREDICATE")
        #expect(PredicatePrinter.print(PredicateNode(NSPredicate(value: false))) == "FALSEPREDICATE")
        try expect("TRUEPREDICATE AND NOT FALSEPREDICATE")
    }

    /// The strings of a section of the list: from its heading to the next one.
    private static func section(_ heading: String) throws -> [String] {
        let text = try String(contentsOf: Fixtures.models.appendingPathComponent("predicates.txt"), encoding: .utf8)
        let lines = text.components(separatedBy: "\n")
        let start = try #require(lines.firstIndex { $0.hasPrefix("# --- " + heading) })
        let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("# --- ") } ?? lines.endIndex
        return lines[(start + 1)..<end].filter { !$0.isEmpty && !$0.hasPrefix("# ") }
    }

    @Test("Every predicate of real model files is read, printed and read again", .enabled(if: Fixtures.isAvailable))
    func fixturePredicates() throws {
        var count = 0
        for heading in ["fetch request templates", "fetched properties", "entity-mapping"] {
            for text in try Self.section(heading) {
                let predicate = try NSPredicate(validating: text)
                #expect(try NSPredicate(validating: "\(predicate)") == predicate, "\(text)")
                count += 1
            }
        }
        #expect(count == 8)
    }

    @Test("So is every expression, one that is none of Apple's excepted", .enabled(if: Fixtures.isAvailable))
    func fixtureExpressions() throws {
        var count = 0
        for heading in ["derived attributes", "relationship-mapping", "value expressions"] {
            for text in try Self.section(heading) {
                let expression = try NSExpression(validating: text)
                #expect(try NSExpression(validating: "\(expression)") == expression, "\(text)")
                count += 1
            }
        }
        #expect(count == 28)
        for text in try Self.section("seen in public") {
            if text.contains("++") {
                #expect(throws: InvalidPredicateError.self) { try NSExpression(validating: text) }
            } else if text.contains(" ") {
                let predicate = try NSPredicate(validating: text)
                #expect(try NSPredicate(validating: "\(predicate)") == predicate)
            } else {
                let expression = try NSExpression(validating: text)
                #expect(try NSExpression(validating: "\(expression)") == expression)
            }
        }
    }

    @Test("Regular expressions of real models become predicates that print and read back", .enabled(if: Fixtures.isAvailable))
    func fixturePatterns() throws {
        let patterns = try Self.section("regular expressions")
        #expect(patterns.count == 2)
        for pattern in patterns {
            let predicate = try NSPredicate(validating: "SELF MATCHES %@", pattern)
            #expect(try NSPredicate(validating: "\(predicate)") == predicate)
        }
        let address = NSPredicate(format: "SELF MATCHES %@", patterns[0])
        #expect(address.evaluate(with: "akira@example.co.jp"))
        #expect(!address.evaluate(with: "akira@example"))
        #expect(!address.evaluate(with: "x akira@@example.co.jp"))
    }

    @Test("B43: a predicate is encoded, sent and decoded")
    func portable() throws {
        let predicate = NSPredicate(
            format: "name ==[cd] %@ AND born > %@ AND ANY tags.id IN %@", "é\"x", Date(timeIntervalSince1970: 0.1), Set([3, 5]))
        let data = try JSONEncoder().encode([PortablePredicate(predicate)])
        let decoded = try #require(try JSONDecoder().decode([PortablePredicate].self, from: data).first)
        #expect(decoded.predicate == predicate)
        #expect(try decoded == PortablePredicate(predicate))
        func needsSendable(_ value: some Sendable) {}
        needsSendable(decoded)
        #expect(throws: InvalidPredicateError.self) { try PortablePredicate(NSPredicate { _, _ in true }) }
        #expect(throws: InvalidPredicateError.self) { try PortablePredicate(NSPredicate(format: "a == %@", Film())) }
        #expect(throws: InvalidPredicateError.self) { try PortablePredicate(NSPredicate(format: "%K == 1", "two words")) }
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(PortablePredicate.self, from: Data("\"a ==\"".utf8)) }
    }
}
