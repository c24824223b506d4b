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

    /// Whether there is no value. Works for values of every type, those that can't be compared included.
    public var isNil: TypedPredicate<Object> { compare(.equalTo, .null) }
    /// Whether there is a value.
    public var isNotNil: TypedPredicate<Object> { compare(.notEqualTo, .null) }
}

// MARK: Equality

extension TypedKey where Value: Equatable {
    /// Whether the value is this one.
    public static func == (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.equalTo, .stored(value)) }
    /// Whether the value is another one.
    public static func != (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.notEqualTo, .stored(value)) }

    /// Whether the value is one of these.
    public func isIn(_ values: some Sequence<Value>) -> TypedPredicate<Object> {
        compare(.in, .collection(ValueCollection(kind: .array, elements: values.map { .stored($0) })))
    }
}

// MARK: Order

extension TypedKey where Value: Comparable {
    /// Whether the value is less.
    public static func < (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.lessThan, .stored(value)) }
    /// Whether the value is not greater.
    public static func <= (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.lessThanOrEqualTo, .stored(value)) }
    /// Whether the value is greater.
    public static func > (key: Self, value: Value) -> TypedPredicate<Object> { key.compare(.greaterThan, .stored(value)) }
    /// Whether the value is not less.
    public static func >= (key: Self, value: Value) -> TypedPredicate<Object> {
        key.compare(.greaterThanOrEqualTo, .stored(value))
    }
    /// Whether the value lies in a range.
    public func isBetween(_ range: ClosedRange<Value>) -> TypedPredicate<Object> { between(range) }
}

extension TypedKey {
    /// Whether there is a value and it is less.
    public static func < <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.lessThan, .stored(value))
    }
    /// Whether there is a value and it is not greater.
    public static func <= <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.lessThanOrEqualTo, .stored(value))
    }
    /// Whether there is a value and it is greater.
    public static func > <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.greaterThan, .stored(value))
    }
    /// Whether there is a value and it is not less.
    public static func >= <Bound: Comparable>(key: Self, value: Bound) -> TypedPredicate<Object> where Value == Bound? {
        key.compare(.greaterThanOrEqualTo, .stored(value))
    }
    /// Whether there is a value and it lies in a range.
    public func isBetween<Bound: Comparable>(_ range: ClosedRange<Bound>) -> TypedPredicate<Object> where Value == Bound? {
        between(range)
    }

    private func between<Bound>(_ range: ClosedRange<Bound>) -> TypedPredicate<Object> {
        let bounds: [PredicateValue] = [.stored(range.lowerBound), .stored(range.upperBound)]
        return compare(.between, .collection(ValueCollection(kind: .array, elements: bounds)))
    }
}

// MARK: Text

/// A type whose values are texts: `String` and `String?`.
public protocol _TextValue {}
extension String: _TextValue {}
extension Optional: _TextValue where Wrapped == String {}

extension TypedKey where Value: _TextValue {
    /// Whether the text contains another one.
    public func contains(_ text: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.contains, .string(text), options: options)
    }
    /// Whether the text begins with another one.
    public func beginsWith(_ text: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.beginsWith, .string(text), options: options)
    }
    /// Whether the text ends with another one.
    public func endsWith(_ text: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.endsWith, .string(text), options: options)
    }
    /// Whether the text matches a pattern with `*` and `?`.
    public func like(_ pattern: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<Object> {
        compare(.like, .string(pattern), options: options)
    }
    /// Whether the whole text matches a regular expression.
    public func matches(_ regularExpression: String, options: _NSComparisonPredicate.Options = []) -> TypedPredicate<
        Object
    > {
        compare(.matches, .string(regularExpression), options: options)
    }
}

// MARK: Objects

extension TypedKey where Value: Collection, Value.Element: NSManagedObject {
    /// Whether the relationship has no objects.
    public var isEmpty: TypedPredicate<Object> { TypedPredicate(storedName + ".@count", .equalTo, .integer(0)) }
    /// Whether an object is among those of the relationship.
    public func contains(_ object: Value.Element) -> TypedPredicate<Object> { compare(.contains, .object(object)) }
}
