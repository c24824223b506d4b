package import Foundation

/// A value in a predicate: a constant of its tree, or what a part of it evaluates to.
///
/// Every form in which a value may come (Swift's types, Foundation's objects, enums with raw values, optionals) is reduced to one
/// case, so that evaluation and SQL generation switch over few cases and box nothing.
package enum PredicateValue {
    /// No value. `NSNull` and an empty optional are none.
    case null
    /// A whole number or a Boolean, which is 0 or 1.
    case integer(Int64)
    /// A whole number above `Int64.max`.
    case unsigned(UInt64)
    /// NaN, of whichever type it came, equals nothing and stands in no order. It is the value of constants only: see `asRead`.
    case double(Double)
    case decimal(Decimal)
    case string(String)
    case date(Date)
    case data(Data)
    case uuid(UUID)
    case url(URL)
    case collection(ValueCollection)
    /// An object that is not one of Foundation's values: a managed object, an object ID, anything with values by key.
    case object(AnyObject)
    /// A value of a type without a meaning of its own here: dictionaries and other structs.
    case other(OpaqueValue)

    /// Whether there is no value.
    package var isNull: Bool {
        if case .null = self { true } else { false }
    }

    /// Whether the value is NaN, or a date made of it.
    package var isNaN: Bool {
        switch self {
        case .double(let value): value.isNaN
        case .date(let value): value.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }

    /// A value that was read from an object: NaN is no value there, because a store can't keep it.
    var asRead: PredicateValue { isNaN ? .null : self }

    static var yes: PredicateValue { .integer(1) }
    static var no: PredicateValue { .integer(0) }

    static func boolean(_ value: Bool) -> PredicateValue { .integer(value ? 1 : 0) }

    static func array(_ elements: [PredicateValue]) -> PredicateValue {
        .collection(ValueCollection(kind: .array, elements: elements))
    }

    /// A name for messages.
    package var typeName: String {
        switch self {
        case .null: "nil"
        case .integer, .unsigned, .double, .decimal: "a number"
        case .string: "a string"
        case .date: "a date"
        case .data: "data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .collection: "a collection"
        case .object(let object): "an object of \(type(of: object))"
        case .other(let value): "a value of \(type(of: value.value))"
        }
    }
}

/// A box, so that a rare kind of value doesn't make every `PredicateValue` larger.
package final class OpaqueValue {
    package let value: Any

    init(_ value: Any) { self.value = value }
}

/// The elements of an array, set or ordered set.
package struct ValueCollection {
    package enum Kind: Sendable {
        case array
        case set
        case orderedSet
    }

    package let kind: Kind
    package let elements: [PredicateValue]

    package init(kind: Kind, elements: [PredicateValue]) {
        self.kind = kind
        self.elements = elements
    }

    /// All elements, those of collections inside in their places.
    var flattened: [PredicateValue] {
        guard elements.contains(where: { if case .collection = $0 { true } else { false } }) else { return elements }
        return elements.flatMap { element in
            if case .collection(let inner) = element { return inner.flattened }
            return [element]
        }
    }
}
