import Foundation
import Testing

@testable import Predicates

@Suite("Mistakes in format strings")
struct FormatErrorTests {
    private func error(_ format: String, _ arguments: Any?...) -> InvalidPredicateError? {
        #expect(throws: InvalidPredicateError.self) { try PredicateParser.predicate(format, arguments) }
    }

    @Test(
        "PRD-3: the place of a mistake",
        arguments: [
            ("", 0), ("a", 0), ("a == ", 5), ("a == 'x", 5), ("(a == 1", 7), ("a == 1)", 6), ("a == 1 b == 2", 7),
            ("a == 1 AND", 10),
            ("AND a == 1", 0), ("a = = 1", 4), ("a == 1 == 2", 7), ("a NOT IN b", 2), ("a == {1, 2", 10), ("a == {1,}", 8),
            ("a.b. == 1", 5),
            ("a. == 1", 3), ("a.5 == 1", 1), ("1a == 1", 1), ("0xZZ == 1", 0), ("$ == 1", 1), ("@ == 1", 1), ("# == 1", 1),
            ("a == %", 5),
            ("a == %y", 5), ("a == ?", 5), ("a §= 1", 2), ("a ==[x] 1", 5), ("a ==[] 1", 5), ("a ==[c 1", 7), ("a[1 == 1", 4),
            ("a BETWEEN {1}", 10),
            ("a == 5 % 3", 7), ("a ++ b == 1", 3), ("é == 'x' AND ü", 13), ("a == 1 && b MATCHES '['", 20), ("nope(a) == 1", 0),
            ("(a == 1) == YES", 0),
            ("a + NOT b == 1", 4), ("1 + ANY b == 1", 4), ("ANY b", 5), ("a == 1 ANY b == 2", 7), ("a == ANY b", 5),
            ("a:b == 1", 4), ("UTI-EQUALS", 0), ("a == \"b'", 5),
            ("a == 1;", 6), ("`a` == 1", 0), ("a == 1\n  AND b ==", 17),
        ])
    func places(format: String, position: Int) {
        #expect(error(format)?.position == position, "\(error(format)?.description ?? "")")
    }

    @Test("PRD-3: the message shows the text with a caret under the place")
    func caret() {
        #expect(
            error("title == ")?.description == """
                Unable to parse the format string "title == ": a value is missing after "=="
                    title == 
                             ^
                """)
        #expect(
            error("a == 1 AND\nb NOT IN c")?.description == """
                Unable to parse the format string "a == 1 AND
                b NOT IN c": NOT can't stand between a value and an operator
                    b NOT IN c
                      ^
                Write NOT before the comparison: NOT a IN b
                """)
        let long = String(repeating: "a == 1 OR ", count: 100)
        let description = error(long + "b" + String(repeating: " OR a == 1", count: 100))?.description ?? ""
        let lines = description.split(separator: "\n").map(Array.init)
        #expect(lines.count == 4)
        #expect(lines[1].count < 120)
        #expect(lines[2].last == "^")
        #expect(lines[1][lines[2].count - 1] == "b")
    }

    @Test("As an NSError it is in Cocoa's domain, with the whole text as description")
    func foundationError() throws {
        let parsing = try #require(self.error("a =="))
        let error = parsing as NSError
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == 2048)
        #expect(error.localizedDescription.hasPrefix("Unable to parse the format string \"a ==\""))
        let evaluation = #expect(throws: InvalidPredicateError.self) {
            try NSPredicate(format: "$x == 1").evaluate(validating: nil)
        }
        #expect((evaluation as NSError?)?.code == 134060)
    }

    @Test("Parentheses, NOT, signs, braces and chains of operators have a limit; AND and OR have none")
    func nesting() throws {
        let many = 20_000
        let formats = [
            String(repeating: "(", count: many) + "a == 1" + String(repeating: ")", count: many),
            String(repeating: "(", count: many),
            String(repeating: "NOT ", count: many) + "a == 1", String(repeating: "!", count: many),
            "a == " + String(repeating: "-", count: many) + "b",
            "a == " + String(repeating: "~", count: many), "a == " + String(repeating: "{", count: many),
            "a == b" + String(repeating: " + b", count: many), "a == b" + String(repeating: " ** b", count: many),
            "a == b" + String(repeating: "[0]", count: many), String(repeating: "TERNARY(", count: many),
            String(repeating: "a[", count: many),
            String(repeating: "SUBQUERY(a, $x, ", count: many), String(repeating: "sum(", count: many),
        ]
        for format in formats { #expect(error(format)?.kind == .nesting) }
        let chain = try PredicateParser.predicate("a == 0" + String(repeating: " OR a == 1", count: many), [])
        guard case .or(let operands) = chain else {
            Issue.record("must be one OR")
            return
        }
        #expect(operands.count == many + 1)
        #expect(try PredicateParser.predicate("a" + String(repeating: ".a", count: many) + " == 1", []) != .constant(true))
    }

    @Test("The deepest text allowed is read, printed, compared and evaluated on a thread with a small stack")
    func smallStack() async throws {
        // Each of these takes three levels: the operand of NOT, the parentheses, the operand of OR.
        let depth = PredicateParser.maximalDepth / 3 - 1
        let format = String(repeating: "NOT (a == 2 OR ", count: depth) + "a == 1" + String(repeating: ")", count: depth)
        let isRight = await withCheckedContinuation { continuation in
            let thread = Thread {
                do {
                    let predicate = try NSPredicate(validating: format)
                    let again = try NSPredicate(validating: "\(predicate)")
                    let value = try predicate.evaluate(validating: ["a": 1])
                    continuation.resume(
                        returning: predicate == again && predicate.hash == again.hash && value == (depth % 2 == 0))
                } catch {
                    Issue.record(error)
                    continuation.resume(returning: false)
                }
            }
            // Optimized code needs a tenth of it.
            thread.stackSize = 2 * 1024 * 1024
            thread.start()
        }
        #expect(isRight)
    }

    @Test("Predicates joined one by one by the thousand are evaluated; other deep trees are refused")
    func deepTrees() throws {
        var joined = NSPredicate(format: "a == 0")
        for number in 1...3000 {
            joined = NSCompoundPredicate(orPredicateWithSubpredicates: [joined, NSPredicate(format: "a == %d", number)])
        }
        #expect(try joined.evaluate(validating: ["a": 3000]))
        #expect(try !joined.evaluate(validating: ["a": 3001]))
        var negated = NSPredicate(format: "a == 0")
        for _ in 1...1000 { negated = NSCompoundPredicate(notPredicateWithSubpredicate: negated) }
        let error = #expect(throws: InvalidPredicateError.self) { try negated.evaluate(validating: ["a": 0]) }
        #expect(error?.kind == .nesting)
    }

    @Test("A wrong argument is named by number, wanted and given type")
    func arguments() {
        #expect(
            error("a == %d AND b == %d", 1, "x")?.message.contains(
                "argument 2 for \"%d\" must be a number, not a value of type String") == true)
        #expect(error("%K == 1", 5)?.message.contains("must be a string with a key path, not a value of type Int") == true)
    }
}
