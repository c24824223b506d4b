import Foundation

/// What the operators of comparison say of two values.
enum Relation {
    typealias Operator = _NSComparisonPredicate.Operator
    typealias Options = _NSComparisonPredicate.Options

    static func holds(_ left: PredicateValue, _ comparisonOperator: Operator, _ right: PredicateValue, _ options: Options) throws
        -> Bool
    {
        switch comparisonOperator {
        case .equalTo: areEqual(left, right, options)
        case .notEqualTo: !areEqual(left, right, options)
        case .lessThan: try order(left, right, options) == .orderedAscending
        case .lessThanOrEqualTo: try order(left, right, options).map { $0 != .orderedDescending } ?? false
        case .greaterThan: try order(left, right, options) == .orderedDescending
        case .greaterThanOrEqualTo: try order(left, right, options).map { $0 != .orderedAscending } ?? false
        case .between: try isBetween(left, right, options)
        case .in: try contains(right, left, options, .in)
        case .contains: try contains(left, right, options, .contains)
        case .beginsWith, .endsWith, .like, .matches: try matches(left, comparisonOperator, right, options)
        }
    }

    static func areEqual(_ left: PredicateValue, _ right: PredicateValue, _ options: Options) -> Bool {
        if !options.isEmpty, case .string(let a) = left, case .string(let b) = right { return TextOrder.areEqual(a, b, options) }
        return left == right
    }

    /// The order of two values of one kind; nil if one of them is nil.
    static func order(_ left: PredicateValue, _ right: PredicateValue, _ options: Options) throws -> ComparisonResult? {
        switch (left, right) {
        case (.integer(let a), .integer(let b)): return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
        case (.null, _), (_, .null): return nil
        case _ where left.isNaN || right.isNaN: return nil
        case (.string(let a), .string(let b)): return TextOrder.compare(a, b, options)
        case (.date, .date), (.uuid, .uuid), (.data, .data), (.url, .url): return left.sortKey.compare(right.sortKey)
        case (.object(let a as any Comparable), .object(let b)) where type(of: a) == type(of: b):
            return left.sortKey.compare(right.sortKey)
        case (.other(let a), .other(let b)) where a.value is any Comparable && type(of: a.value) == type(of: b.value):
            return left.sortKey.compare(right.sortKey)
        default:
            guard left.isNumber, right.isNumber else {
                throw InvalidPredicateError(
                    .type, "\(left.typeName) and \(right.typeName) have no order", suggestion: hint(left, right))
            }
            return left.sortKey.compare(right.sortKey)
        }
    }

    private static func hint(_ left: PredicateValue, _ right: PredicateValue) -> String? {
        switch (left, right) {
        case (.date, _) where right.isNumber: "Write CAST(seconds, \"NSDate\") for a date"
        case (_, .date) where left.isNumber: "Write CAST(seconds, \"NSDate\") for a date"
        default: nil
        }
    }

    private static func isBetween(_ value: PredicateValue, _ bounds: PredicateValue, _ options: Options) throws -> Bool {
        if bounds.isNull { return false }
        guard case .collection(let collection) = bounds, collection.elements.count == 2 else {
            throw InvalidPredicateError(.type, "BETWEEN needs two values on its right side, not \(bounds.typeName)")
        }
        return try holds(value, .greaterThanOrEqualTo, collection.elements[0], options)
            && holds(value, .lessThanOrEqualTo, collection.elements[1], options)
    }

    private static func contains(
        _ whole: PredicateValue, _ part: PredicateValue, _ options: Options, _ comparisonOperator: Operator
    ) throws -> Bool {
        switch (whole, part) {
        case (.collection(let collection), _): collection.elements.contains { areEqual($0, part, options) }
        case (.string(let text), .string(let part)): try TextMatcher(.contains, part, options).matches(text)
        case (.null, _), (.string, .null): false
        default:
            throw mismatch(
                comparisonOperator, "a collection, or texts on both sides", comparisonOperator == .in ? part : whole,
                comparisonOperator == .in ? whole : part)
        }
    }

    private static func matches(
        _ text: PredicateValue, _ comparisonOperator: Operator, _ pattern: PredicateValue, _ options: Options
    ) throws -> Bool {
        switch (text, pattern) {
        case (.string(let text), .string(let pattern)): return try TextMatcher(comparisonOperator, pattern, options).matches(text)
        case (.null, .string), (.null, .null), (.string, .null): return false
        default: throw mismatch(comparisonOperator, "texts", text, pattern)
        }
    }

    static func mismatch(
        _ comparisonOperator: Operator, _ needed: String, _ left: PredicateValue, _ right: PredicateValue
    ) -> InvalidPredicateError {
        InvalidPredicateError(.type, "\(comparisonOperator.symbol) needs \(needed), not \(left.typeName) and \(right.typeName)")
    }
}
