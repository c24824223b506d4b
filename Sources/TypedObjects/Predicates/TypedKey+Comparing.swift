public import Foundation
public import ObjectGraph
public import Predicates

extension TypedKey {
    func compare(
        _ comparisonOperator: _NSComparisonPredicate.Operator, _ value: PredicateValue,
        options: _NSComparisonPredicate.Options = []
    ) -> TypedPredicate<Object> {
        TypedPredicate(storedName, comparisonOperator, value, options: options)
    }

    /// True if there is no value. The type of the value need not be comparable.
    public var isNil: TypedPredicate<Object> { compare(.equalTo, .null) }
    /// True if there is a value. The type of the value need not be comparable.
    public var isNotNil: TypedPredicate<Object> { compare(.notEqualTo, .null) }
}

// MARK: Equality

extension TypedKey where Value: Equatable {
    /// True if the value equals the other one.
    public static func == (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.equalTo, .stored(value)) }
    /// True if the value does not equal the other one.
    public static func != (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.notEqualTo, .stored(value)) }

    /// True if the value is one of the given values.
    public func isIn(_ values: some Sequence<Value>) -> TypedPredicate<Object> {
        compare(.in, .collection(ValueCollection(kind: .array, elements: values.map { .stored($0) })))
    }
}

// MARK: Order

extension TypedKey where Value: Comparable {
    /// True if the value is less than the other one.
    public static func < (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.lessThan, .stored(value)) }
    /// True if the value is less than or equal to the other one.
    public static func <= (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.lessThanOrEqualTo, .stored(value)) }
    /// True if the value is greater than the other one.
    public static func > (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.greaterThan, .stored(value)) }
    /// True if the value is greater than or equal to the other one.
    public static func >= (key: Self, value: Value) -> TypedPredicate<Object> {
        key.compare(.greaterThanOrEqualTo, .stored(value))
    }
    /// True if the value is in a range.
    public func isBetween(_ range: ClosedRange<Value>) -> TypedPredicate<Object> { between(range) }
}

extension TypedKey {
    /// True if there is a value and it is less than the other one.
    public static func < <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.lessThan, .stored(value))
    }
    /// True if there is a value and it is less than or equal to the other one.
    public static func <= <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.lessThanOrEqualTo, .stored(value))
    }
    /// True if there is a value and it is greater than the other one.
    public static func > <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.greaterThan, .stored(value))
    }
    /// True if there is a value and it is greater than or equal to the other one.
    public static func >= <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.greaterThanOrEqualTo, .stored(value))
    }
    /// True if there is a value and it is in a range.
    public func isBetween<Bound: Comparable>(_ range: ClosedRange<Bound>) -> TypedPredicate<Object> where Value == Bound? {
        between(range)
    }

    private func between<Bound>(_ range: ClosedRange<Bound>) -> TypedPredicate<Object> {
        let bounds: [PredicateValue] = [.stored(range.lowerBound), .stored(range.upperBound)]
        return compare(.between, .collection(ValueCollection(kind: .array, elements: bounds)))
    }
}

// MARK: Text

/// A type of texts: `String` or `String?`.
public protocol _TextValue {}
extension String: _TextValue {}
extension Optional: _TextValue where Wrapped == String {}

extension TypedKey where Value: _TextValue {
    /// True if the text contains another text.
    public func contains(_ text: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.contains, .string(text), options: options)
    }
    /// True if the text begins with another text.
    public func beginsWith(_ text: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.beginsWith, .string(text), options: options)
    }
    /// True if the text ends with another text.
    public func endsWith(_ text: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.endsWith, .string(text), options: options)
    }
    /// True if the text matches a pattern with `*` and `?`.
    public func like(_ pattern: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.like, .string(pattern), options: options)
    }
    /// True if the whole text matches a regular expression.
    public func matches(_ regularExpression: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<
        Object
    > {
        compare(.matches, .string(regularExpression), options: options)
    }
}

// MARK: Objects

extension TypedKey where Value: Collection, Value.Element: NSManagedObject {
    /// True if the relationship has no objects.
    public var isEmpty: TypedPredicate<Object> { TypedPredicate(storedName + ".@count", .equalTo, .integer(0)) }
    /// True if the relationship has an object.
    public func contains(_ object: Value.Element) -> TypedPredicate<Object> { compare(.contains, .object(object)) }
}
