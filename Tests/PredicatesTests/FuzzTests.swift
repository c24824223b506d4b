import Foundation
import PredicateFuzz
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

    @Test("Mutated format strings are read or refused; they never stop the program, and what is read prints and reads back")
    func grammar() throws {
        var fuzz = FormatFuzz(random: Fuzz.random("grammar"))
        try fuzz.run(Fuzz.count(50_000))
        #expect(fuzz.readCount > 0 && fuzz.refusedCount > 0)
    }
}
