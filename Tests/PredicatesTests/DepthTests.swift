import Foundation
import Testing

@testable import Predicates

@Suite("Trees and paths of any depth")
struct DepthTests {
    private typealias Expression = NSExpression

    private static let many = 100_000

    /// Each way to nest an expression.
    private static var ways: [(name: String, nest: (NSExpression) -> NSExpression)] {
        [
            ("function", { NSExpression(forFunction: "abs:", arguments: [$0]) }),
            ("call", { NSExpression(forFunction: $0, selectorName: "length", arguments: nil) }),
            (
                "argument",
                {
                    NSExpression(
                        forFunction: NSExpression(forConstantValue: 1), selectorName: "x:", arguments: [$0])
                }
            ),
            ("aggregate", { NSExpression(forAggregate: [$0]) }),
            ("union", { NSExpression(forUnionSet: $0, with: NSExpression(forKeyPath: "a")) }),
            (
                "subquery",
                { NSExpression(forSubquery: $0, usingIteratorVariable: "x", predicate: NSPredicate(value: true)) }
            ),
            (
                "conditional",
                {
                    let test = NSComparisonPredicate(
                        leftExpression: $0, rightExpression: NSExpression(forConstantValue: 1), modifier: .direct,
                        type: .equalTo)
                    return NSExpression(
                        forConditional: test, trueExpression: .expressionForEvaluatedObject(),
                        falseExpression: .expressionForAnyKey())
                }
            ),
            ("block", { NSExpression(block: { _, _, _ in 1 }, arguments: [$0]) }),
            ("format", { NSExpression(format: "abs(%@)", $0) }),
        ]
    }

    @Test("R95: expressions nested 100,000 times are made, printed, compared, copied and let go of; evaluating them is an error")
    func expressions() throws {
        for (name, nest) in Self.ways {
            var expression = Expression(forKeyPath: "a")
            for _ in 0..<(name == "format" ? 2_000 : Self.many) { expression = nest(expression) }
            #expect(expression.description.utf8.count < 1_000_000, "\(name)")
            #expect(expression.isEqual(expression) && expression.hash == expression.hash, "\(name)")
            #expect(expression.copy() as? Expression === expression)
            let error = #expect(throws: InvalidPredicateError.self, "\(name)") { try expression.value(validating: ["a": 1]) }
            #expect(error?.kind == .nesting, "\(name): \(String(describing: error))")
            let predicate = NSComparisonPredicate(
                leftExpression: expression, rightExpression: expression, modifier: .direct, type: .equalTo)
            #expect(throws: InvalidPredicateError.self, "\(name)") { try predicate.evaluate(validating: ["a": 1]) }
            #expect(predicate.isEqual(predicate) && predicate.hash == predicate.hash && !predicate.description.isEmpty)
            #expect(throws: InvalidPredicateError.self) { try PortablePredicate(predicate) }
        }
    }

    @Test("R95: compounds nested 100,000 times are printed, compared, substituted and evaluated, or are an error")
    func compounds() throws {
        var chains: [NSPredicate] = []
        for type in [NSCompoundPredicate.LogicalType.and, .or, .not] {
            var predicate = NSPredicate(format: "a == 1 AND b == $v")
            for _ in 0..<Self.many { predicate = NSCompoundPredicate(type: type, subpredicates: [predicate]) }
            chains.append(predicate)
        }
        var alternating = NSPredicate(format: "a == 1 AND b == $v")
        for level in 0..<Self.many {
            alternating = NSCompoundPredicate(
                type: level.isMultiple(of: 2) ? .and : .or, subpredicates: [alternating, NSPredicate(format: "a == 2")])
        }
        chains.append(alternating)
        for (index, chain) in chains.enumerated() {
            let node = PredicateNode(chain)
            #expect(node == node && node.hashValue == node.hashValue)
            #expect(PredicatePrinter.print(node).utf8.count < 1_000_000)
            #expect(!node.hasClosures && !node.hasFetches)
            let inside = NSPredicate(format: "SUBQUERY(x, $y, %@).@count == 0 OR NOT (%@)", chain, chain)
            _ = "\(inside)"
            if index < 2 {
                // One kind of operand is one list, however deep.
                #expect(try chain.evaluate(validating: ["a": 1, "b": 2], substitutionVariables: ["v": 2]))
                #expect(try !chain.substituting(["v": 3]).evaluate(validating: ["a": 1, "b": 2]))
            } else {
                let error = #expect(throws: InvalidPredicateError.self) {
                    try chain.evaluate(validating: ["a": 1, "b": 2], substitutionVariables: ["v": 2])
                }
                #expect(error?.kind == .nesting)
                #expect(throws: InvalidPredicateError.self) { try chain.substituting(["v": 3]) }
            }
        }
        // Foundation's own classes let go of each other one in the other, which ends programs at this depth.
        for chain in chains { _ = Unmanaged.passRetained(chain) }
    }

    @Test("R95: values put in place of variables again and again do not make trees of any depth")
    func substitution() throws {
        var predicate = NSPredicate(format: "abs:($v) == 1")
        let error = #expect(throws: InvalidPredicateError.self) {
            for _ in 0..<5_000 { predicate = try predicate.substituting(["v": Expression(format: "abs:($v)")]) }
        }
        #expect(error?.kind == .nesting)
        #expect("\(predicate)".hasPrefix("abs(abs("))
    }

    private final class Link: KeyValueCoding {
        var next: Link?
        var all: [Link] = []
        func value(forKey key: String) -> Any? { key == "next" ? next : key == "all" ? all : key == "n" ? 1 : nil }
    }

    @Test("R95: key paths of 100,000 keys and operators are read, or are an error", arguments: [5_000, 100_000])
    func keyPaths(_ count: Int) throws {
        let link = Link()
        link.next = link
        link.all = [link]
        defer { (link.next, link.all) = (nil, []) }
        for key in ["next", "all", "all.@max", "@count", "self", "", "@distinctUnionOfObjects"] {
            let path = Array(repeating: key, count: count).joined(separator: ".") + ".n"
            for keyed in [path, "all." + path] {
                let expression = Expression(forKeyPath: keyed)
                _ = try? expression.value(validating: link)
                _ = KeyedValue.value(of: link, forKeyPath: keyed)
                _ = try? NSPredicate(validating: "%K == 1", keyed).evaluate(validating: link)
                #expect(expression.description.utf8.count >= expression.keyPath.utf8.count)
                _ = [link, link].sorted(by: [NSSortDescriptor(key: keyed, ascending: true)])
            }
        }
        let long = Expression(forKeyPath: Array(repeating: "all", count: count).joined(separator: "."))
        #expect(throws: InvalidPredicateError.self) { try long.value(validating: link) }
    }
}
