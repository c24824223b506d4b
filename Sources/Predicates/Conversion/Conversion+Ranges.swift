import Foundation

extension PredicateExpressions.RangeExpressionContains: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        if let relation = RangeExpression.Output.self as? any TextRelation.Type, let path = range as? any KeyPathNode {
            let (comparisonOperator, options) = relation.comparison
            let text = try path.convertedRoot(&state)
            return .predicate(
                .comparison(ComparisonNode(text, comparisonOperator, try state.expression(element), options: options)))
        }
        guard let bounds = try state.bounds(range) else { throw state.unsupported(self) }
        return .predicate(bounds.contains(try state.expression(element)))
    }
}

/// The ends of a range, one of which may be open.
struct ConvertedRange {
    let lower: ExpressionNode?
    let upper: ExpressionNode?
    let includesUpper: Bool

    func contains(_ node: ExpressionNode) -> PredicateNode {
        if let lower, let upper, includesUpper { return .comparison(ComparisonNode(node, .between, .aggregate([lower, upper]))) }
        var parts: [PredicateNode] = []
        if let lower { parts.append(.comparison(ComparisonNode(node, .greaterThanOrEqualTo, lower))) }
        if let upper { parts.append(.comparison(ComparisonNode(node, includesUpper ? .lessThanOrEqualTo : .lessThan, upper))) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }
}

extension ConversionState {
    /// The ends of a part that is a range, whether it is written in the predicate or captured; nil for anything else.
    mutating func bounds(_ part: some PredicateExpression) throws -> ConvertedRange? {
        if let range = part as? any RangeNode { return try range.converted(&self) }
        guard let range = try? part.evaluate(PredicateBindings()) as? any UntypedRange else { return nil }
        func node(_ value: Any?) throws -> ExpressionNode? {
            guard let value else { return nil }
            guard let storable = Self.storable(value) else { throw unsupported(part) }
            return .constant(storable)
        }
        return ConvertedRange(lower: try node(range.lower), upper: try node(range.upper), includesUpper: range.includesUpper)
    }
}

/// A range written in a predicate.
protocol RangeNode {
    func converted(_ state: inout ConversionState) throws -> ConvertedRange
}

extension PredicateExpressions.Range: RangeNode {
    func converted(_ state: inout ConversionState) throws -> ConvertedRange {
        let start = try state.expression(lower)
        return ConvertedRange(lower: start, upper: try state.expression(upper), includesUpper: false)
    }
}

extension PredicateExpressions.ClosedRange: RangeNode {
    func converted(_ state: inout ConversionState) throws -> ConvertedRange {
        let start = try state.expression(lower)
        return ConvertedRange(lower: start, upper: try state.expression(upper), includesUpper: true)
    }
}

/// A captured range whose type of bounds is not known.
private protocol UntypedRange {
    var lower: Any? { get }
    var upper: Any? { get }
    var includesUpper: Bool { get }
}

extension Range: UntypedRange {
    fileprivate var lower: Any? { lowerBound }
    fileprivate var upper: Any? { upperBound }
    fileprivate var includesUpper: Bool { false }
}

extension ClosedRange: UntypedRange {
    fileprivate var lower: Any? { lowerBound }
    fileprivate var upper: Any? { upperBound }
    fileprivate var includesUpper: Bool { true }
}

extension PartialRangeFrom: UntypedRange {
    fileprivate var lower: Any? { lowerBound }
    fileprivate var upper: Any? { nil }
    fileprivate var includesUpper: Bool { false }
}

extension PartialRangeUpTo: UntypedRange {
    fileprivate var lower: Any? { nil }
    fileprivate var upper: Any? { upperBound }
    fileprivate var includesUpper: Bool { false }
}

extension PartialRangeThrough: UntypedRange {
    fileprivate var lower: Any? { nil }
    fileprivate var upper: Any? { upperBound }
    fileprivate var includesUpper: Bool { true }
}
