import Foundation

/// The operators in key paths that make one value of a collection.
package enum CollectionOperator: String, CaseIterable, Sendable {
    case count = "@count"
    case sum = "@sum"
    case average = "@avg"
    case minimum = "@min"
    case maximum = "@max"
    case unionOfObjects = "@unionOfObjects"
    case distinctUnionOfObjects = "@distinctUnionOfObjects"
    case unionOfArrays = "@unionOfArrays"
    case distinctUnionOfArrays = "@distinctUnionOfArrays"
    case distinctUnionOfSets = "@distinctUnionOfSets"

    /// Whether the operator makes one value of many, so that collections among these are parts of one. The others are about
    /// collections themselves.
    package var isOfValues: Bool {
        switch self {
        case .count, .sum, .average, .minimum, .maximum: true
        default: false
        }
    }

    /// The operator's value for the elements, after the key path on the operator's right was followed from each of them.
    ///
    /// Elements without a value don't count for `@sum`, `@avg`, `@min` and `@max`, as in a store's aggregates.
    func value(of elements: [PredicateValue]) throws -> PredicateValue {
        switch self {
        case .count: return .integer(Int64(elements.count))
        case .sum: return try Aggregate.sum(elements)
        case .average: return try Aggregate.average(elements)
        case .minimum: return try Aggregate.minimum(elements)
        case .maximum: return try Aggregate.maximum(elements)
        case .unionOfObjects: return .array(elements.filter { !$0.isNull })
        case .distinctUnionOfObjects: return .array(Aggregate.distinct(elements.filter { !$0.isNull }))
        case .unionOfArrays: return .array(try members(elements))
        case .distinctUnionOfArrays: return .array(Aggregate.distinct(try members(elements)))
        case .distinctUnionOfSets:
            return .collection(ValueCollection(kind: .set, elements: Aggregate.distinct(try members(elements))))
        }
    }

    private func members(_ collections: [PredicateValue]) throws -> [PredicateValue] {
        try collections.flatMap { collection in
            switch collection {
            case .collection(let inner): return inner.elements.filter { !$0.isNull }
            case .null: return []
            default:
                throw InvalidPredicateError(
                    .type, "\(rawValue) needs a collection of collections, but has \(collection.typeName) in it")
            }
        }
    }
}
