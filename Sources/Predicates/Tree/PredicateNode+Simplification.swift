/// The same question in fewer and plainer comparisons.
///
/// `#Predicate` makes conditionals of `??`, `?.` and `if`; so `($0.rating ?? 0) > 8` is `TERNARY(rating != nil, rating, 0) > 8`.
/// A store can use an index only for `rating > 8`. The result is true for the same objects.
import Foundation

extension PredicateNode {
    /// The simplified predicate.
    package func simplified() -> PredicateNode {
        switch self {
        case .constant, .foreign: return self
        case .comparison(let comparison): return comparison.simplified()
        case .not(let operand): return operand.simplified().negated
        case .and(let operands): return Self.joined(operands.map { $0.simplified() }, isAnd: true)
        case .or(let operands): return Self.joined(operands.map { $0.simplified() }, isAnd: false)
        }
    }

    private var negated: PredicateNode {
        switch self {
        case .constant(let value): return .constant(!value)
        case .not(let operand): return operand
        case .comparison(var comparison):
            // These two are each other's negation for nil too, unlike < and >=.
            guard comparison.modifier == .direct else { return .not(self) }
            switch comparison.comparisonOperator {
            case .equalTo: comparison.comparisonOperator = .notEqualTo
            case .notEqualTo: comparison.comparisonOperator = .equalTo
            default: return .not(self)
            }
            return .comparison(comparison)
        default: return .not(self)
        }
    }

    /// One list of operands, without those that decide nothing.
    private static func joined(_ operands: [PredicateNode], isAnd: Bool) -> PredicateNode {
        var result: [PredicateNode] = []
        var known: Set<PredicateNode> = []
        func add(_ operand: PredicateNode) -> Bool {
            switch operand {
            case .constant(let value): return value == isAnd
            case .and(let inner) where isAnd: return inner.allSatisfy(add)
            case .or(let inner) where !isAnd: return inner.allSatisfy(add)
            default:
                if known.insert(operand).inserted { result.append(operand) }
                return true
            }
        }
        guard operands.allSatisfy(add) else { return .constant(!isAnd) }
        if isAnd { dropNilTests(&result) } else { dropNonNilTests(&result) }
        if result.count == 1 { return result[0] }
        return result.isEmpty ? .constant(isAnd) : isAnd ? .and(result) : .or(result)
    }

    /// `a != nil AND a > 8` is `a > 8`, which nothing satisfies that is nil.
    private static func dropNilTests(_ operands: inout [PredicateNode]) {
        let needed = operands.compactMap(\.expressionThatMustHaveValue)
        operands.removeAll { operand in
            guard case .notNil(let expression) = operand.nilTest else { return false }
            return needed.contains(expression)
        }
    }

    /// `a == nil OR (a != nil AND p)` is `a == nil OR p`.
    private static func dropNonNilTests(_ operands: inout [PredicateNode]) {
        let tests = operands.compactMap { if case .isNil(let expression) = $0.nilTest { expression } else { nil } }
        guard !tests.isEmpty else { return }
        operands = operands.map { operand in
            guard case .and(var inner) = operand else { return operand }
            inner.removeAll { if case .notNil(let expression) = $0.nilTest { tests.contains(expression) } else { false } }
            return inner.count == 1 ? inner[0] : .and(inner)
        }
    }

    private enum NilTest {
        case isNil(ExpressionNode)
        case notNil(ExpressionNode)
    }

    private var nilTest: NilTest? {
        guard case .comparison(let comparison) = self, comparison.modifier == .direct, case .constant(.null) = comparison.right
        else {
            return nil
        }
        switch comparison.comparisonOperator {
        case .equalTo: return .isNil(comparison.left)
        case .notEqualTo: return .notNil(comparison.left)
        default: return nil
        }
    }

    /// The left side of a comparison that is false for nil.
    private var expressionThatMustHaveValue: ExpressionNode? {
        guard case .comparison(let comparison) = self, comparison.modifier == .direct else { return nil }
        switch comparison.comparisonOperator {
        case .equalTo:
            guard let value = comparison.right.literalValue, !value.isNull else { return nil }
            return comparison.left
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .beginsWith, .endsWith, .like, .matches,
            .contains, .between:
            return comparison.left
        default: return nil
        }
    }
}

extension ComparisonNode {
    fileprivate func simplified() -> PredicateNode {
        var copy = self
        copy.left = left.simplified()
        copy.right = right.simplified()
        guard modifier == .direct else { return .comparison(copy) }
        if let a = copy.left.literalValue, let b = copy.right.literalValue,
            let value = try? Relation.holds(a, comparisonOperator, b, options)
        {
            return .constant(value)
        }
        // The right side is written twice, so it must be cheap.
        guard case .conditional(let test, let yes, let no) = copy.left, copy.right.isCheap else { return .comparison(copy) }
        var positive = copy
        positive.left = yes
        var negative = copy
        negative.left = no
        let whole = PredicateNode.or([.and([test, .comparison(positive)]), .and([.not(test), .comparison(negative)])])
        return whole.simplified()
    }
}

extension ExpressionNode {
    fileprivate var isCheap: Bool {
        switch self {
        case .constant, .variable, .evaluatedObject, .aggregate: true
        case .keyPath(.evaluatedObject, let keys): !keys.contains { $0.hasPrefix("@") }
        default: false
        }
    }

    /// The expression with the predicates in it simplified, and key paths in place of conditionals that only pass nil on.
    package func simplified() -> ExpressionNode {
        switch self {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey, .block, .fetch, .tooDeep: return self
        case .keyPath(let operand, let keys): return .keyPath(keys, of: operand.simplified())
        case .function(let function, let arguments): return .function(function, arguments.map { $0.simplified() })
        case .call(let target, let selector, let arguments):
            return .call(target.simplified(), selector: selector, arguments.map { $0.simplified() })
        case .aggregate(let elements): return .aggregate(elements.map { $0.simplified() })
        case .subquery(let collection, let variable, let predicate):
            return .subquery(collection.simplified(), variable: variable, predicate.simplified())
        case .setOperation(let operation, let left, let right):
            return .setOperation(operation, left.simplified(), right.simplified())
        case .conditional(let predicate, let yes, let no):
            let test = predicate.simplified()
            let (yes, no) = (yes.simplified(), no.simplified())
            if case .constant(let value) = test { return value ? yes : no }
            // TERNARY(a != nil, a.b, nil) is a.b, as nil has nil for every key.
            if case .comparison(let comparison) = test, comparison.modifier == .direct,
                comparison.comparisonOperator == .notEqualTo,
                case .constant(.null) = comparison.right, case .constant(.null) = no, yes.passesNilOn(from: comparison.left)
            {
                return yes
            }
            return .conditional(test, yes, no)
        }
    }

    /// Whether this is nil whenever the other expression is: the same one, or keys of it.
    private func passesNilOn(from other: ExpressionNode) -> Bool {
        if self == other { return true }
        guard case .keyPath(let operand, let keys) = self, !keys.contains(where: { $0.hasPrefix("@") }) else { return false }
        if case .keyPath(let otherOperand, let otherKeys) = other {
            return operand == otherOperand && keys.starts(with: otherKeys)
        }
        return operand.passesNilOn(from: other)
    }
}
