import Foundation
import Predicates
package import TestSupport

/// Changes format strings at random, and has them parsed: they are read or refused, never stop the program, and what is read prints and reads back.
package struct FormatFuzz {
    /// What should not have happened.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private var random: SeededGenerator
    package private(set) var readCount = 0
    package private(set) var refusedCount = 0

    package init(random: SeededGenerator) { self.random = random }

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

    /// Tries so many strings.
    package mutating func run(_ count: Int) throws {
        let seeds = Self.seeds.map { Array($0.unicodeScalars) }
        let arguments: [Any?] = [1, "text", [1, 2], nil, Date(timeIntervalSinceReferenceDate: 0), "a.b"]
        for _ in 0..<count {
            var text = seeds[Int.random(in: 0..<seeds.count, using: &random)]
            for _ in 0..<Int.random(in: 1...4, using: &random) { mutate(&text, seeds) }
            let given = Array(arguments.shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)))
            try check(String(String.UnicodeScalarView(text)), given)
        }
    }

    private mutating func check(_ format: String, _ arguments: [Any?]) throws {
        do {
            let node = try PredicateParser.predicate(format, arguments)
            readCount += 1
            let printed = PredicatePrinter.print(node)
            guard try PredicateParser.predicate(printed, []) == node else {
                throw Failure(description: "\(format) is printed as \(printed)")
            }
        } catch let error as InvalidPredicateError {
            refusedCount += 1
            guard error.text == format, (0...format.count).contains(error.position ?? -1), !error.description.isEmpty else {
                throw Failure(description: "\(format) is refused with \(error)")
            }
        }
        _ = try? PredicateParser.expression(format, arguments)
    }

    private mutating func mutate(_ text: inout [Unicode.Scalar], _ seeds: [[Unicode.Scalar]]) {
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
