import Foundation
import TestSupport

@testable import Predicates

/// Makes trees over a small set of keys, and objects that have values for some of them.
struct RandomPredicates {
    var random: SeededGenerator

    mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    mutating func pick<T>(_ values: [T]) -> T { values[Int.random(in: 0..<values.count, using: &random)] }

    // MARK: Trees

    mutating func predicate(_ depth: Int = 4) -> PredicateNode {
        guard depth > 0, chance(60) else { return chance(5) ? .constant(chance(50)) : .comparison(comparison(depth)) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return .not(predicate(depth - 1))
        case 1: return .and(predicates(depth))
        case 2: return .or(predicates(depth))
        default: return .comparison(comparison(depth))
        }
    }

    private mutating func predicates(_ depth: Int) -> [PredicateNode] {
        (0..<Int.random(in: 2...4, using: &random)).map { _ in predicate(depth - 1) }
    }

    private mutating func comparison(_ depth: Int) -> ComparisonNode {
        let operators: [NSComparisonPredicate.Operator] = [
            .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .equalTo, .equalTo, .notEqualTo, .matches, .like,
            .beginsWith, .endsWith, .in,
            .contains, .between,
        ]
        let comparisonOperator = pick(operators)
        let options: NSComparisonPredicate.Options = chance(20) ? .init(rawValue: UInt.random(in: 0...15, using: &random)) : []
        let modifier: NSComparisonPredicate.Modifier = chance(15) ? (chance(50) ? .any : .all) : .direct
        let left = modifier == .direct ? expression(depth - 1) : .keyPath(pick(["list", "set", "kin.age", "kin.name"]))
        let right: ExpressionNode
        switch comparisonOperator {
        case .between: right = .aggregate([expression(depth - 2), expression(depth - 2)])
        case .matches: right = .constant(.string(pick(["a.*", "\\d+", "[ab]*", ""])))
        case .in where chance(70): right = .aggregate((0..<3).map { _ in expression(0) })
        default: right = chance(20) ? .constant(.null) : expression(depth - 1)
        }
        return ComparisonNode(left, comparisonOperator, right, modifier: modifier, options: options)
    }

    mutating func expression(_ depth: Int) -> ExpressionNode {
        guard depth > 0, chance(50) else { return leaf() }
        switch Int.random(in: 0..<9, using: &random) {
        case 0...2:
            let function = pick(
                PredicateFunction.allCases.filter { ![.now, .random, .randomBelow, .cast, .elementAtIndex].contains($0) })
            return .function(function, (0..<max(1, function.argumentCount)).map { _ in expression(depth - 1) })
        case 3: return .conditional(predicate(depth - 1), expression(depth - 1), expression(depth - 1))
        case 4:
            // What ?? and ?. become.
            let tested = ExpressionNode.keyPath(pick(["a", "b", "text", "parent"]))
            let test = PredicateNode.comparison(ComparisonNode(tested, .notEqualTo, .constant(.null)))
            return chance(50)
                ? .conditional(test, tested, leaf())
                : .conditional(test, .keyPath([pick(["age", "name"])], of: tested), .constant(.null))
        case 5: return .keyPath(["@count"], of: .subquery(.keyPath("kin"), variable: "x", local(depth)))
        case 6: return .function(.elementAtIndex, [.keyPath("list"), .symbol(pick([.first, .last, .size]))])
        case 7: return .function(.cast, [expression(depth - 1), .constant(.string(pick(["NSNumber", "NSString"])))])
        default: return .setOperation(pick([.union, .intersect, .minus]), .keyPath("list"), .keyPath("set"))
        }
    }

    private mutating func local(_ depth: Int) -> PredicateNode {
        .comparison(
            ComparisonNode(
                .keyPath([pick(["age", "name"])], of: .variable("x")), pick([.equalTo, .greaterThan, .notEqualTo]),
                expression(depth - 2)))
    }

    private mutating func leaf() -> ExpressionNode {
        switch Int.random(in: 0..<4, using: &random) {
        case 0, 1:
            return .keyPath(
                pick([
                    "a", "b", "text", "text.length", "parent.age", "parent.name", "parent.parent.age", "list.@count",
                    "kin.@sum.age", "kin.@max.name", "size", "any.in",
                ]))
        default: return .constant(constant())
        }
    }

    mutating func constant() -> PredicateValue {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: .null
        case 1, 2: .integer(Int64.random(in: -3...3, using: &random))
        case 3: .integer(pick([.min, .max, 1 << 53, 255]))
        case 4: .double(pick([0.5, -1.5, 2, 1e300, -0.0, .infinity]))
        case 5: .decimal(pick([Decimal(3), Decimal(string: "0.1") ?? 0, Decimal(-2)]))
        case 6, 7, 8: .string(pick(["", "a", "Ab", "é", "É\"\\", "x\ny", "3", "*", "ß", "\u{1}"]))
        case 9: .date(Date(timeIntervalSinceReferenceDate: pick([0, 1.5, -1e9, 700_000_000.123456789])))
        case 10: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8.random(in: 0...3, using: &random))))
        default: .data(Data([UInt8.random(in: 0...3, using: &random)]))
        }
    }

    // MARK: Objects

    mutating func object(_ depth: Int = 2) -> [String: Any] {
        var result: [String: Any] = [:]
        for key in ["a", "b"] where chance(80) {
            result[key] = chance(70) ? PredicateValue.integer(Int64.random(in: -3...3, using: &random)).any : constant().any
        }
        if chance(80) { result["text"] = pick(["", "a", "Ab", "é", "abc"]) }
        if chance(70) { result["name"] = pick(["a", "b"]) }
        if chance(70) { result["age"] = Int.random(in: 0...3, using: &random) }
        if depth > 0, chance(70) { result["parent"] = object(depth - 1) }
        if depth > 0 { result["kin"] = (0..<Int.random(in: 0...3, using: &random)).map { _ in object(0) } }
        result["list"] = (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: -1...1, using: &random) }
        result["set"] = Set((0..<2).map { _ in Int.random(in: -1...1, using: &random) })
        return result
    }
}
