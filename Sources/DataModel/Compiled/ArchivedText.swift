import Foundation
import Predicates

/// Predicates and expressions that a model has as texts.
enum ArchivedText {
    static func predicate(_ text: String) throws -> PredicateNode {
        do { return try PredicateParser.predicate(text, []) } catch {
            throw ModelProblem("the predicate “\(text)” can't be read: \(error)")
        }
    }

    /// Apple's compiler makes `count:(notes)` of `notes.@count`.
    static func derivation(_ text: String) throws -> ExpressionNode {
        let node: ExpressionNode
        do { node = try PredicateParser.expression(text, []) } catch {
            throw ModelProblem("the expression “\(text)” can't be read: \(error)")
        }
        guard case .keyPath(let operand, let keys) = node, keys.count > 1 else { return node }
        let path = ExpressionNode.keyPath(operand, keys.dropLast())
        switch keys.last {
        case "@count": return .function(.count, [path])
        case "@sum": return .function(.sum, [path])
        default: return node
        }
    }
}

extension LimitPredicate {
    /// The predicate that Apple's compiler writes for the limit.
    func node(for type: NSAttributeDescription.AttributeType) -> PredicateNode {
        func compare(
            _ left: ExpressionNode, _ sign: _NSComparisonPredicate.Operator, _ value: PredicateValue
        ) -> PredicateNode { .comparison(ComparisonNode(left, sign, .constant(value))) }
        func number(_ decimal: Decimal) -> PredicateValue {
            let isWhole = ![.double, .float].contains(type)
            if isWhole, let whole = Int64(decimal.description) { return .integer(whole) }
            // A decimal number that no floating-point number stands for.
            if type == .decimal, "\(Self.double(decimal))" != decimal.description { return .decimal(decimal) }
            return .double(Self.double(decimal))
        }
        let seconds = ExpressionNode.keyPath("timeIntervalSinceReferenceDate")
        return switch limit {
        case .minimumNumber(let value): compare(.evaluatedObject, .greaterThanOrEqualTo, number(value))
        case .maximumNumber(let value): compare(.evaluatedObject, .lessThanOrEqualTo, number(value))
        case .minimumLength(let value): compare(.keyPath("length"), .greaterThanOrEqualTo, .integer(Int64(value)))
        case .maximumLength(let value): compare(.keyPath("length"), .lessThanOrEqualTo, .integer(Int64(value)))
        case .earliest(let value): compare(seconds, .greaterThanOrEqualTo, .double(value))
        case .latest(let value): compare(seconds, .lessThanOrEqualTo, .double(value))
        case .pattern(let pattern, _): compare(.evaluatedObject, .matches, .string(pattern))
        }
    }
}
