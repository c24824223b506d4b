import Foundation
import Testing

@testable import Predicates

@Suite("NSPredicate, NSComparisonPredicate, NSCompoundPredicate")
struct PredicateClassTests {
    private let a = NSExpression(forKeyPath: "a")
    private let one = NSExpression(forConstantValue: 1)

    @Test("PRD-1, PRD-2: Apple's initializers and methods work as they are written on Apple's systems")
    func initializers() throws {
        let name = "Ran"
        let predicate = NSPredicate(format: "title == %@ AND length > %d", name, 100)
        #expect(predicate.evaluate(with: ["title": "Ran", "length": 162]))
        #expect(!predicate.evaluate(with: ["title": "Ran", "length": 99]))
        #expect(NSPredicate(format: "title == %@ AND length > %d", argumentArray: [name, 100]) == predicate)
        #expect(NSPredicate(format: "a == 1", argumentArray: nil) == NSPredicate(format: "a == 1"))
        #expect(predicate.evaluate(with: ["title": "Ran", "length": 162], substitutionVariables: nil))
        let optional: String? = nil
        #expect(NSPredicate(format: "a == %@", optional).evaluate(with: [String: Any]()))
        predicate.allowEvaluation()
        let list: [NSPredicate] = [.init(format: "a == 1"), .init(value: true), .init { _, _ in true }]
        #expect(list.allSatisfy { $0.evaluate(with: ["a": 1]) })
    }

    @Test("PRD-5: there are all operators but custom selectors; their raw values are Foundation's")
    func operators() {
        let values: [NSComparisonPredicate.Operator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .notEqualTo, .matches, .like,
            .beginsWith, .endsWith, .in,
            .contains, .between,
        ]
        #expect(Set(values.map(\.rawValue)).count == 13)
    }

    @Test("PRD-6, PRD-7: raw values of modifiers, options and types")
    func rawValues() {
        #expect([NSComparisonPredicate.Modifier.direct, .all, .any].map(\.rawValue) == [0, 1, 2])
        #expect(
            [NSComparisonPredicate.Options.caseInsensitive, .diacriticInsensitive, .normalized].map(\.rawValue) == [1, 2, 4])
        #expect([NSCompoundPredicate.LogicalType.not, .and, .or].map(\.rawValue) == [0, 1, 2])
    }

    @Test("A comparison made of its parts equals the parsed one and gives its parts back")
    func comparison() throws {
        let made = NSComparisonPredicate(
            leftExpression: a, rightExpression: one, modifier: .any, type: .greaterThan, options: .caseInsensitive)
        let parsed = try #require(NSPredicate(format: "ANY a >[c] 1") as? NSComparisonPredicate)
        #expect(made == parsed)
        #expect(made.hash == parsed.hash)
        #expect(parsed.leftExpression == a)
        #expect(parsed.rightExpression == one)
        #expect(parsed.predicateOperatorType == .greaterThan)
        #expect(parsed.comparisonPredicateModifier == .any)
        #expect(parsed.options == .caseInsensitive)
        #expect(parsed.predicateFormat == "ANY a >[c] 1")
        #expect("\(parsed)" == "ANY a >[c] 1")
        #expect(made.copy() as? NSPredicate == made)
        #expect(NSComparisonPredicate(leftExpression: a, rightExpression: one, type: .equalTo).evaluate(with: ["a": 1]))
    }

    @Test("PRD-7, PRD-8: compounds; empty AND is true, empty OR false")
    func compounds() throws {
        let (p, q) = (NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2"))
        #expect(NSCompoundPredicate(andPredicateWithSubpredicates: [p, q]) == NSPredicate(format: "a == 1 AND b == 2"))
        #expect(NSCompoundPredicate(orPredicateWithSubpredicates: [p, q]) == NSPredicate(format: "a == 1 OR b == 2"))
        #expect(NSCompoundPredicate(notPredicateWithSubpredicate: p) == NSPredicate(format: "NOT (a == 1)"))
        #expect(NSCompoundPredicate(type: .and, subpredicates: []).evaluate(with: nil))
        #expect(!NSCompoundPredicate(type: .or, subpredicates: []).evaluate(with: nil))
        let parsed = try #require(NSPredicate(format: "a == 1 OR b == 2") as? NSCompoundPredicate)
        #expect(parsed.compoundPredicateType == .or)
        #expect(parsed.subpredicates == [p, q])
        #expect("\(parsed)" == "a == 1 OR b == 2")
        let copy = try #require(parsed.copy() as? NSCompoundPredicate)
        #expect(copy == parsed && copy.hash == parsed.hash)
        let foreign: NSCompoundPredicate = parsed
        #expect(foreign.subpredicates.count == 2)
    }

    @Test("Setting the parts of a compound, which Foundation's class allows, is minded")
    func mutation() throws {
        let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
            NSPredicate(format: "a == 1"), NSPredicate(format: "a == 2"),
        ])
        #expect(!compound.evaluate(with: ["a": 1]))
        compound.compoundPredicateType = .or
        #expect(compound.evaluate(with: ["a": 1]))
        compound.subpredicates = [NSPredicate(format: "a == 3")]
        #expect(!compound.evaluate(with: ["a": 1]))
        #expect(try PortablePredicate(compound).format == "a == 3")
        // So are those of what a format string gives.
        let parsed = try #require(NSPredicate(format: "a == 1 AND b == 2") as? NSCompoundPredicate)
        parsed.compoundPredicateType = .or
        #expect(parsed.evaluate(with: ["a": 1]) && "\(parsed)" == "a == 1 OR b == 2")
    }

    @Test("PRD-11: equality by structure, with equal hashes")
    func equality() {
        let equal = [
            ("a == 1", "a = 1"), ("a IN {1, 2}", "a IN {1,2}"), ("a == YES", "a == 1"), ("SELF.a == 1", "a == 1"),
            ("a == 1.0", "a == 1"),
            ("SUBQUERY(a, $x, $x == 1).@count > 0", "SUBQUERY(a,$x,$x==1).@count>0"), ("TRUEPREDICATE", "truepredicate"),
        ]
        for (first, second) in equal {
            let (p, q) = (NSPredicate(format: first), NSPredicate(format: second))
            #expect(p == q && q == p && p.hash == q.hash, "\(first)")
        }
        let unequal = [
            "a == 1", "a != 1", "a == 2", "b == 1", "a ==[c] 1", "ANY a == 1", "NOT a == 1", "a == 1 AND b == 1",
            "b == 1 AND a == 1", "a == 1 OR b == 1",
            "a == '1'", "a == nil", "TRUEPREDICATE", "FALSEPREDICATE", "a == b", "a == $b", "a == {b}", "a == SELF",
        ]
        for (i, first) in unequal.enumerated() {
            for (j, second) in unequal.enumerated() where i != j {
                #expect(NSPredicate(format: first) != NSPredicate(format: second))
            }
        }
        #expect(NSPredicate(format: "a IN %@", Set([1, 2, 3])) == NSPredicate(format: "a IN %@", Set([3, 2, 1])))
        #expect(NSPredicate(format: "TRUEPREDICATE") == NSPredicate(value: true))
        #expect(NSPredicate(value: true) == NSPredicate(format: "TRUEPREDICATE"))
        #expect(NSPredicate(value: false) != NSPredicate(format: "a == 1"))
        let block = NSPredicate { _, _ in true }
        #expect(NSPredicate(format: "NOT %@", block) == NSPredicate(format: "NOT %@", block))
        #expect(NSPredicate(format: "NOT %@", block) != NSPredicate(format: "NOT %@", NSPredicate { _, _ in true }))
    }

    @Test("PRD-12: a parsed predicate is of one of three classes")
    func classes() {
        #expect(NSPredicate(format: "a == 1") is NSComparisonPredicate)
        #expect(NSPredicate(format: "NOT a == 1") is NSCompoundPredicate)
        #expect("\(NSPredicate(format: "TRUEPREDICATE"))" == "TRUEPREDICATE")
    }

    // MARK: Substitution

    @Test("PRD-190: every variable is replaced; NSNull is nil; expressions stand for themselves")
    func substitution() throws {
        let template = NSPredicate(format: "a == $x AND (b IN $list OR NOT c BETWEEN {$low, $x}) AND d == $nothing")
        let result = template.withSubstitutionVariables(
            ["x": 1, "list": ["p", "q"], "low": NSExpression(forKeyPath: "e"), "nothing": NSNull(), "unused": 5])
        #expect(result == NSPredicate(format: "a == 1 AND (b IN {'p', 'q'} OR NOT c BETWEEN {e, 1}) AND d == nil"))
        #expect(result is NSCompoundPredicate)
        let comparison = try #require(NSPredicate(format: "a == $x") as? NSComparisonPredicate)
        #expect(comparison.withSubstitutionVariables(["x": 2]).rightExpression.constantValue as? Int == 2)
        #expect(NSPredicate(value: true).withSubstitutionVariables([:]).evaluate(with: nil))
        let places = "FUNCTION($x, 'f:', $x) == TERNARY($x == 1, $x.k, {$x}) AND $x[$x] == FETCH($x, $x, NO) AND -$x == $x"
        let everywhere = try NSPredicate(validating: places).substituting(["x": NSExpression(forKeyPath: "y")])
        #expect("\(everywhere)" == "\(NSPredicate(format: places.replacingOccurrences(of: "$x", with: "y")))")
    }

    @Test("PRD-190: a variable without a value is an error that lists those given")
    func missingVariable() {
        let error = #expect(throws: InvalidPredicateError.self) {
            try NSPredicate(format: "a == $x AND b == $y").substituting(["x": 1, "z": 2])
        }
        #expect(error?.kind == .variable)
        #expect(error?.message == "The variable $y has no value: given are $x, $z")
        #expect(error?.text == "a == $x AND b == $y")
    }

    @Test("PRD-192: a subquery's variable is not touched, inside of the subquery")
    func localVariable() {
        let template = NSPredicate(format: "SUBQUERY(children, $x, $x.age > $limit).@count > $x")
        #expect(
            template.withSubstitutionVariables(["x": 3, "limit": 10])
                == NSPredicate(format: "SUBQUERY(children, $x, $x.age > 10).@count > 3"))
    }

    @Test("PRD-193: fetched properties' variables are like any others")
    func fetchSource() {
        let film = Film("Ran", duration: 162)
        let predicate = NSPredicate(format: "title == $FETCH_SOURCE.title AND $FETCHED_PROPERTY.name == 'x'")
        #expect(
            predicate.evaluate(
                with: Film("Ran"), substitutionVariables: ["FETCH_SOURCE": film, "FETCHED_PROPERTY": ["name": "x"]]))
    }
}
