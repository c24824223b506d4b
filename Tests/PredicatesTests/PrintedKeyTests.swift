import Foundation
import TestSupport
import Testing

@testable import Predicates

@Suite("Printed keys")
struct PrintedKeyTests {
    private static let odd = [
        "a-b", "a b", "🎬", "👩‍👩‍👧", "a.b-c", "1a", "1", "", "a+b", "a\"b", "a'b", "a\\b", "a\nb", "#a", "$a", "@a", "%K", "größe",
        "名前", "e\u{301}", "a:b",
        "(a)", "a,b", "{a}", "[0]", "a[0]", "AND", "and", "nil", "SELF", "self", "a.self", "a.SELF.b", "first", "SIZE", "UTI",
        "UTI-EQUALS", "true", "a/b", "–", "\u{200B}",
        "a\u{A0}b", "@count", "a.@count", "@count.a", "@nothing", "a.@sum.b-c", "x y.z", ".", "a.", ".a", "a..b", "FUNCTION",
        "SUBQUERY", "CAST", "\0", "…",
        "a\u{2028}b", "-", "_", "a_1",
    ]

    @Test("R30: a predicate with any key prints a text that reads back as the same predicate")
    func roundTrip() throws {
        for key in Self.odd {
            let formats = [
                "%K == 1", "ANY %K > 1 OR NOT %K IN {1, 2}", "SUBQUERY(%K, $x, $x.%K == 1).@count > 0",
                "abs(%K) + 1 == friend.%K",
            ]
            for format in formats {
                // %K takes no empty keys.
                guard let predicate = try? NSPredicate(validating: format, key, key) else { continue }
                let again = try? NSPredicate(validating: predicate.description)
                #expect(again == predicate, "“\(key)”: \(predicate)")
                // What is to be read by Apple's systems too is the same predicate, or an error.
                if let portable = try? PortablePredicate(predicate) {
                    #expect(portable.predicate == predicate && !portable.format.contains("#\""))
                }
            }
            let expression = NSExpression(forKeyPath: key)
            #expect(try NSExpression(validating: expression.description) == expression, "“\(key)”: \(expression)")
            let variable = NSExpression(forVariable: key)
            #expect(try NSExpression(validating: variable.description) == variable, "“\(key)”: \(variable)")
        }
        // What needs no quotes has none.
        #expect(NSPredicate(format: "%K == 1", "a.b_1.größe").description == "a.b_1.größe == 1")
        #expect(NSPredicate(format: "%K == 1", "and").description == "#and == 1")
        #expect(NSPredicate(format: "%K == 1", "a-b").description == "#\"a-b\" == 1")
    }

    @Test("R30: random keys, too")
    func random() throws {
        var random = Fuzz.random("Printed keys")
        let alphabet = Array("ab1_ -+*/.\"'\\#$@%()[]{}<>=!&|^~,:;?😀é\u{301}ñ日\n\t\u{0}\u{200D}\u{FE0F}")
        for _ in 0..<Fuzz.count(2_000) {
            let key = String(
                (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
                })
            guard let predicate = try? NSPredicate(validating: "%K == x OR ANY y.%K < 3", key, key) else { continue }
            #expect(
                (try? NSPredicate(validating: predicate.description)) == predicate, "\(key.debugDescription): \(predicate)")
        }
    }
}
