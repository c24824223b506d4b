import Foundation
import Testing

@testable import Predicates

/// Apple's API raises exceptions in these places. There are none here, so the program stops, with a message.
@Suite("Where the program stops")
struct StopTests {
    private func text(_ result: ExitTest.Result?) -> String {
        String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    }

    @Test("PRD-3: NSPredicate(format:) with a mistake; the message shows the place")
    func format() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "title == ")
        }
        #expect(text(result).contains("Unable to parse the format string \"title == \": a value is missing after \"==\""))
        #expect(text(result).contains("             ^"))
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "a == %@", argumentArray: []) }
        await #expect(processExitsWith: .failure) { _ = NSExpression(format: "a +") }
    }

    @Test("PRD-102, PRD-190: a variable without a value")
    func variables() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSPredicate(format: "a == $x").evaluate(with: ["a": 1])
        }
        #expect(text(result).contains("The variable $x has no value: none is given"))
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "a == $x").withSubstitutionVariables([:]) }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forVariable: "x").expressionValue(with: nil, context: nil) }
    }

    @Test("PRD-100, PRD-95: ANY of a number, a number less than a text")
    func types() async {
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "ANY a == 1").evaluate(with: ["a": 1]) }
        await #expect(processExitsWith: .failure) { _ = NSPredicate(format: "a < 'x' OR a == 1").evaluate(with: ["a": 1]) }
    }

    @Test("PRD-10: an accessor that doesn't fit the expression")
    func accessors() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forConstantValue: 1).keyPath
        }
        #expect(text(result).contains("The expression 1 is of type constantValue and has no keyPath"))
        await #expect(processExitsWith: .failure) { _ = NSExpression(forKeyPath: "a").constantValue }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forKeyPath: "a").predicate }
        await #expect(processExitsWith: .failure) { _ = NSExpression(forKeyPath: "a").collection }
    }

    @Test("PRD-171: an unknown function or a wrong number of arguments")
    func functions() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = NSExpression(forFunction: "uppercase", arguments: ["x"])
        }
        #expect(text(result).contains("There is no function \"uppercase\"\nDid you mean \"uppercase:\"?"))
        await #expect(processExitsWith: .failure) { _ = NSExpression(forFunction: "add:to:", arguments: [1]) }
    }
}
