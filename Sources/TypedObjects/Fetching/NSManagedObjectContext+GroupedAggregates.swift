import Foundation
import ObjectGraph

// Aggregates for each value of a property. What is said of `sum(_:of:where:)` holds for them.

extension NSManagedObjectContext {
    /// The objects of a class by the value of a property.
    private func groups<Object: TypedObject, Group: Hashable>(
        of type: Object.Type, by group: KeyPath<Object, Group>, _ condition: AggregateCondition<Object>?
    ) throws -> [Group: [Object]] {
        Dictionary(grouping: try objects(of: type, condition)) { $0[keyPath: group] }
    }

    /// A function of a property's values for each value of another, computed by a store.
    ///
    /// - Parameter add: adds the function.
    /// - Returns: nil if none can, and where the store's groups are not those of the Swift type: values that the type doesn't have, or texts that are equal to
    ///   Swift only.
    private func computed<Object: TypedObject, Group: Hashable, Result>(
        of type: Object.Type, by group: KeyPath<Object, Group>, _ condition: AggregateCondition<Object>?,
        _ add: (inout ColumnQuery<Object>) -> ColumnReader<Result?>?
    ) throws -> [Group: Result?]? {
        guard var query = try ColumnQuery(self, type, condition), let groupReader = query.addGroup(group),
            let reader = add(&query), let rows = try query.rows()
        else { return nil }
        var groups: [Group: Result?] = [:]
        for row in rows {
            guard let key = groupReader.read(row[0]), let value = reader.read(row[1]),
                groups.updateValue(value, forKey: key) == nil
            else { return nil }
        }
        return groups
    }

    /// The least or greatest values by a store, where Swift's order is the store's.
    private func extremes<Object: TypedObject, Value, Group: Hashable, Result>(
        _ function: String, _ keyPath: KeyPath<Object, Value>, as result: Result.Type, by group: KeyPath<Object, Group>,
        _ condition: AggregateCondition<Object>?
    ) throws -> [Group: Result]? {
        guard (Value.self as? any StoreValue.Type)?.isOrderedByStores == true else { return nil }
        return try computed(of: Object.self, by: group, condition) { $0.addFunction(function, of: keyPath, result) }?
            .compactMapValues(\.self)
    }

    /// How many objects of a class there are for each value of a property: `count(of: Movie.self, groupedBy: \.genre)`.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - group: the property; objects without value are a group of their own, nil.
    ///   - condition: which objects to take; nil for all.
    /// - Throws: what a fetch throws.
    public func count<Object: TypedObject, Group: Hashable>(
        of type: Object.Type, groupedBy group: KeyPath<Object, Group>, where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Int] {
        if let counts = try computed(of: type, by: group, condition, { $0.addCount() }) { return counts.mapValues { $0 ?? 0 } }
        return try groups(of: type, by: group, condition).mapValues(\.count)
    }

    /// The sum of a number for each value of a property: `sum(\.duration, of: Movie.self, groupedBy: \.genre)`.
    public func sum<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value.Sum] {
        let sums = try computed(of: type, by: group, condition) { $0.addFunction("sum:", of: keyPath, Value.Sum.self) }
        if let sums { return sums.mapValues { $0 ?? .zero } }
        return try groups(of: type, by: group, condition).mapValues { try sum(of: $0, keyPath) }
    }

    /// The average of a number for each value of a property. Groups in which every number is nil are left out.
    public func average<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value.Average] {
        let averages = try computed(of: type, by: group, condition) {
            $0.addFunction("average:", of: keyPath, Value.Average.self)
        }
        if let averages { return averages.compactMapValues(\.self) }
        return try groups(of: type, by: group, condition).compactMapValues { objects in
            Value._average(of: objects.compactMap { $0[keyPath: keyPath]._summand })
        }
    }

    /// The least value for each value of another property. Groups in which every value is nil are left out.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        if let found = try extremes("min:", keyPath, as: Value.self, by: group, condition) { return found }
        return try groups(of: type, by: group, condition).compactMapValues { $0.lazy.compactMap { $0[keyPath: keyPath] }.min() }
    }

    /// The least value for each value of another property.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        if let found = try extremes("min:", keyPath, as: Value.self, by: group, condition) { return found }
        return try groups(of: type, by: group, condition).compactMapValues { $0.lazy.map { $0[keyPath: keyPath] }.min() }
    }

    /// The greatest value for each value of another property. Groups in which every value is nil are left out.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        if let found = try extremes("max:", keyPath, as: Value.self, by: group, condition) { return found }
        return try groups(of: type, by: group, condition).compactMapValues { $0.lazy.compactMap { $0[keyPath: keyPath] }.max() }
    }

    /// The greatest value for each value of another property.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        if let found = try extremes("max:", keyPath, as: Value.self, by: group, condition) { return found }
        return try groups(of: type, by: group, condition).compactMapValues { $0.lazy.map { $0[keyPath: keyPath] }.max() }
    }
}
