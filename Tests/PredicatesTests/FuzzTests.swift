import Foundation
import TestSupport
import Testing

@testable import Predicates

@Suite("Random predicates")
struct FuzzTests {
    @Test("Every tree is printed in a form that reads back as an equal tree with an equal hash")
    func printing() throws {
        var trees = RandomPredicates(random: Fuzz.random("printing"))
        for _ in 0..<Fuzz.count(3000) {
            let node = trees.predicate()
            let text = PredicatePrinter.print(node)
            let again = try PredicateParser.predicate(text, [])
            try #require(again == node, "\(text)")
            try #require(again.hashValue == node.hashValue, "\(text)")
            try #require(PredicatePrinter.print(again) == text)
        }
    }

    @Test("What is printed and read back, and what is simplified, is true for the same objects")
    func meaning() throws {
        var trees = RandomPredicates(random: Fuzz.random("meaning"))
        var (compared, held, simplifiedCount) = (0, 0, 0)
        for _ in 0..<Fuzz.count(3000) {
            let node = trees.predicate()
            let text = PredicatePrinter.print(node)
            // A constant division of numbers and texts, say, can't be compiled at all; then the other two can't be either.
            guard let predicate = try? CompiledPredicate(node) else { continue }
            let again = try CompiledPredicate(PredicateParser.predicate(text, []))
            let simple = node.simplified()
            let simplified = try CompiledPredicate(simple)
            for _ in 0..<3 {
                let object = trees.object()
                guard let expected = try? predicate.evaluate(object) else { continue }
                let value = try again.evaluate(object)
                try #require(value == expected, "\(text) with \(object)")
                compared += 1
                held += expected ? 1 : 0
                // A nil test that is left out may have kept a comparison of unlike types from being made. A store makes no such difference.
                guard let simpleValue = try? simplified.evaluate(object) else { continue }
                try #require(simpleValue == expected, "\(text) simplified to \(PredicatePrinter.print(simple)) with \(object)")
                simplifiedCount += 1
            }
        }
        #expect(compared > 1000 && held > 100 && held < compared)
        #expect(simplifiedCount > compared * 9 / 10)
    }

    private static let seeds = [
        "a == 1 AND (b != 'x' OR NOT c CONTAINS[cd] \"y\\u00e9\")", "ANY tags.name IN {1, 2.5e3, 'x', nil}",
        "ALL a.b >= %@ && NONE c <> %d",
        "SUBQUERY(children, $x, $x.age > 3 AND $x.%K BEGINSWITH %@).@count > 0",
        "TERNARY(a == nil, b, CAST(3.5, 'NSDate')) < now()",
        "(a + b * -2 ** c) / 0x1F - ~d & e | f ^ g << 2 >> 1 == @count", "a[FIRST].b['k'][0] BETWEEN {$low, $high}",
        "name LIKE[c] '*x?' OR name MATCHES '[a-z]+'",
        "FUNCTION($m, 'load:for:', 1, a) UNION {1} INTERSECT b MINUS c == {}",
        "modulus:by:(a, 2) == sum(b.@max.#self) AND TRUEPREDICATE",
        "SELF IN %@ AND #in.size == YES", "FETCH(a, $c, NO) == canonical:(b)",
        "{{1}, {SELF.a}} CONTAINS 0b101 AND ANYKEY == 0o17", "a ENDSWITH 'é😀' AND !b",
    ]

    private static let pieces = [
        " ", "(", ")", "{", "}", "[", "]", "'", "\"", "\\", ",", ".", "@", "#", "$", "%", "%@", "%K", "%d", "%s", "==", "<", "!",
        "&&", "||", "**", "-", "~", ":", ":=", "NOT ",
        "ANY ", " AND ", " IN ", " BETWEEN ", " LIKE ", " MATCHES ", "SELF", "nil", "YES", "1", "1e", "0x", ".5", "a", "a.",
        "@count", "\\u", "é", "\u{0}", "\u{7F}", "😀", "\n", "TERNARY(",
        "SUBQUERY(", "CAST(", "FUNCTION(", "sum(", "now()", "UTI-EQUALS", "[cd]", "FIRST", "99999999999999999999",
    ]

    @Test("Mutated format strings are read or refused; they never stop the program, and what is read prints and reads back")
    func grammar() throws {
        var random = Fuzz.random("grammar")
        let seeds = Self.seeds.map { Array($0.unicodeScalars) }
        let arguments: [Any?] = [1, "text", [1, 2], nil, Date(timeIntervalSinceReferenceDate: 0), "a.b"]
        var (read, refused) = (0, 0)
        for _ in 0..<Fuzz.count(50_000) {
            var text = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&text, seeds, &random) }
            let format = String(String.UnicodeScalarView(text))
            let given = Array(arguments.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)))
            do {
                let node = try PredicateParser.predicate(format, given)
                read += 1
                let printed = PredicatePrinter.print(node)
                let again = try PredicateParser.predicate(printed, [])
                try #require(again == node, "\(format) is printed as \(printed)")
            } catch let error as InvalidPredicateError {
                refused += 1
                try #require(error.text == format, "\(error)")
                try #require((0...format.count).contains(error.position ?? -1), "\(error)")
                try #require(!error.description.isEmpty)
            }
            _ = try? PredicateParser.expression(format, given)
        }
        #expect(read > 0 && refused > 0)
    }

    private func mutate(_ text: inout [Unicode.Scalar], _ seeds: [[Unicode.Scalar]], _ random: inout SplitMix64) {
        let position = Int.random(in: 0...text.count, using: &random)
        let end = min(text.count, position + Int.random(in: 0...6, using: &random))
        switch Int.random(in: 0..<6, using: &random) {
        case 0: text.removeSubrange(position..<end)
        case 1: text.insert(contentsOf: text[position..<end], at: Int.random(in: 0...text.count, using: &random))
        case 2, 3:
            text.insert(
                contentsOf: Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)].unicodeScalars, at: position)
        case 4:
            let other = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            let start = Int.random(in: 0...other.count, using: &random)
            text.replaceSubrange(position..<end, with: other[start..<min(other.count, start + 20)])
        default:
            guard position < text.count else { return }
            text[position] = Unicode.Scalar(UInt8.random(in: 0...255, using: &random))
        }
    }
}
