import Foundation

/// A comparison whose right side is known, made ready for many left sides: patterns are compiled, texts folded, lists turned into
/// sets.
enum Condition {
    typealias Test = (PredicateValue) throws -> Bool

    /// - Parameter equatesDigits: Whether whole numbers and the texts of their digits are equal.
    static func make(
        _ comparisonOperator: _NSComparisonPredicate.Operator, _ right: PredicateValue, _ options: _NSComparisonPredicate.Options,
        equatesDigits: Bool = false
    ) throws -> Test {
        if equatesDigits, let list = right.withDigits {
            switch comparisonOperator {
            case .equalTo where !right.isCollection, .in where right.isCollection: return member(of: list, options)
            case .notEqualTo where !right.isCollection:
                let member = member(of: list, options)
                return { try !member($0) }
            default: break
            }
        }
        switch (comparisonOperator, right) {
        case (.equalTo, _): return equal(right, options)
        case (.notEqualTo, _):
            let equal = equal(right, options)
            return { try !equal($0) }
        case (.lessThan, .integer(let bound)): return ordered(right, comparisonOperator) { $0 < bound }
        case (.lessThanOrEqualTo, .integer(let bound)): return ordered(right, comparisonOperator) { $0 <= bound }
        case (.greaterThan, .integer(let bound)): return ordered(right, comparisonOperator) { $0 > bound }
        case (.greaterThanOrEqualTo, .integer(let bound)): return ordered(right, comparisonOperator) { $0 >= bound }
        case (.lessThan, .double(let bound)): return ordered(right, comparisonOperator) { $0 < bound }
        case (.lessThanOrEqualTo, .double(let bound)): return ordered(right, comparisonOperator) { $0 <= bound }
        case (.greaterThan, .double(let bound)): return ordered(right, comparisonOperator) { $0 > bound }
        case (.greaterThanOrEqualTo, .double(let bound)): return ordered(right, comparisonOperator) { $0 >= bound }
        case (.beginsWith, .string(let text)), (.endsWith, .string(let text)), (.like, .string(let text)),
            (.matches, .string(let text)):
            return try matching(comparisonOperator, text, right, options)
        case (.contains, .string(let text)): return try containing(text, right, options)
        case (.in, .collection(let collection)): return member(of: collection, options)
        default: return { try Relation.holds($0, comparisonOperator, right, options) }
        }
    }

    private static func equal(_ right: PredicateValue, _ options: _NSComparisonPredicate.Options) -> Test {
        switch right {
        case .integer(let value):
            return {
                if case .integer(let left) = $0 { return left == value }
                return $0 == right
            }
        case .string(let text) where options.isEmpty || options.contains(.normalized):
            return {
                if case .string(let left) = $0 { return Text.areEqual(left, text) }
                return false
            }
        case .string(let text) where !options.contains(.localeSensitive):
            let folded = TextFolding.fold(text, options)
            return {
                if case .string(let left) = $0 { return Text.areEqual(TextFolding.fold(left, options), folded) }
                return false
            }
        default: return { Relation.areEqual($0, right, options) }
        }
    }

    private static func ordered(
        _ right: PredicateValue, _ comparisonOperator: _NSComparisonPredicate.Operator, _ test: @escaping (Int64) -> Bool
    ) -> Test {
        {
            if case .integer(let left) = $0 { return test(left) }
            return try Relation.holds($0, comparisonOperator, right, [])
        }
    }

    private static func ordered(
        _ right: PredicateValue, _ comparisonOperator: _NSComparisonPredicate.Operator, _ test: @escaping (Double) -> Bool
    ) -> Test {
        {
            if case .double(let left) = $0 { return test(left) }
            return try Relation.holds($0, comparisonOperator, right, [])
        }
    }

    private static func matching(
        _ comparisonOperator: _NSComparisonPredicate.Operator, _ pattern: String, _ right: PredicateValue,
        _ options: _NSComparisonPredicate.Options
    ) throws -> Test {
        let matcher = try TextMatcher(comparisonOperator, pattern, options)
        return {
            switch $0 {
            case .string(let text): return try matcher.matches(text)
            case .null: return false
            default: throw Relation.mismatch(comparisonOperator, "texts", $0, right)
            }
        }
    }

    private static func containing(
        _ text: String, _ right: PredicateValue, _ options: _NSComparisonPredicate.Options
    ) throws -> Test {
        let matcher = try TextMatcher(.contains, text, options)
        return {
            if case .string(let whole) = $0 { return try matcher.matches(whole) }
            return try Relation.holds($0, .contains, right, options)
        }
    }

    private static func member(of collection: ValueCollection, _ options: _NSComparisonPredicate.Options) -> Test {
        let folds = !options.isEmpty && !options.contains(.normalized)
        if options.contains(.localeSensitive) || collection.elements.count < 8 && !folds {
            return { left in collection.elements.contains { Relation.areEqual($0, left, options) } }
        }
        func key(_ value: PredicateValue) -> PredicateValue {
            if folds, case .string(let text) = value { return .string(TextFolding.fold(text, options)) }
            return value
        }
        let members = Set(collection.elements.map(key))
        return { members.contains(key($0)) }
    }
}

extension PredicateValue {
    fileprivate var isCollection: Bool { if case .collection = self { true } else { false } }

    /// The value, or the elements of a collection, with what equals them where numbers equal their digits; nil if nothing does.
    fileprivate var withDigits: ValueCollection? {
        switch self {
        case .collection(let collection):
            let others = collection.elements.compactMap(\.digitsOrNumber)
            return others.isEmpty ? nil : ValueCollection(kind: collection.kind, elements: collection.elements + others)
        default: return digitsOrNumber.map { ValueCollection(kind: .array, elements: [self, $0]) }
        }
    }

    private var digitsOrNumber: PredicateValue? {
        switch self {
        case .integer(let value): .string(String(value))
        case .double(let value): Int64(exactly: value).map { .string(String($0)) }
        case .string(let text): PredicateValue(digits: text)
        default: nil
        }
    }
}
