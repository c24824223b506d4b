import Foundation

/// One value out of many: the functions of that kind and the collection operators. Values that are nil don't count.
enum Aggregate {
    static func sum(_ values: [PredicateValue]) throws -> PredicateValue {
        try values.reduce(.integer(0)) { $1.isNull ? $0 : try Arithmetic.add($0, numeric($1)) }
    }

    static func average(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try numbers(values)
        guard !numbers.isEmpty else { return .null }
        // A mean of integers is not an integer.
        let total = try sum(numbers)
        if total.isNull { return .null }
        if case .decimal = total { return try Arithmetic.divide(total, .integer(Int64(numbers.count))) }
        return PredicateValue(result: total.doubleValue / Double(numbers.count))
    }

    static func minimum(_ values: [PredicateValue]) throws -> PredicateValue { try extreme(values, .orderedAscending) }

    static func maximum(_ values: [PredicateValue]) throws -> PredicateValue { try extreme(values, .orderedDescending) }

    private static func extreme(_ values: [PredicateValue], _ wanted: ComparisonResult) throws -> PredicateValue {
        var result = PredicateValue.null
        for value in values where !value.isNull {
            if result.isNull {
                result = value
            } else if try Relation.order(value, result, []) == wanted {
                result = value
            }
        }
        return result
    }

    static func median(_ values: [PredicateValue]) throws -> PredicateValue {
        let sorted = try numbers(values).sorted { $0.sortKey.compare($1.sortKey) == .orderedAscending }
        guard !sorted.isEmpty else { return .null }
        let middle = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[middle] : try average([sorted[middle - 1], sorted[middle]])
    }

    /// All values that occur most often, in ascending order.
    static func mode(_ values: [PredicateValue]) throws -> PredicateValue {
        var counts: [PredicateValue: Int] = [:]
        for value in try numbers(values) { counts[value, default: 0] += 1 }
        let most = counts.values.max() ?? 0
        let modes = counts.filter { $0.value == most }.map(\.key)
        return .array(modes.sorted { $0.sortKey.compare($1.sortKey) == .orderedAscending })
    }

    /// Of the whole population.
    static func standardDeviation(_ values: [PredicateValue]) throws -> PredicateValue {
        let numbers = try numbers(values).map(\.doubleValue)
        guard !numbers.isEmpty else { return .null }
        let mean = numbers.reduce(0, +) / Double(numbers.count)
        let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return PredicateValue(result: (squares / Double(numbers.count)).squareRoot())
    }

    /// Every value once, in the order of first occurrence.
    static func distinct(_ values: [PredicateValue]) -> [PredicateValue] {
        var seen: Set<PredicateValue> = []
        return values.filter { seen.insert($0).inserted }
    }

    private static func numbers(_ values: [PredicateValue]) throws -> [PredicateValue] {
        try values.filter { !$0.isNull }.map(numeric)
    }

    private static func numeric(_ value: PredicateValue) throws -> PredicateValue {
        guard value.isNumber else {
            throw InvalidPredicateError(.type, "\(value.typeName) can't be added up: numbers are needed")
        }
        return value
    }
}
