import DataModel
import Foundation
import ObjectGraph

/// Which objects an aggregate is over: `#Predicate`, or a condition made of keys.
public enum AggregateCondition<Object: TypedObject> {
    /// Objects that a Swift predicate is true for.
    case predicate(Predicate<Object>)
    /// Objects that a condition made of keys is true for.
    case keys(TypedPredicate<Object>)
}

extension NSManagedObjectContext {
    private func objects<Object: TypedObject>(of type: Object.Type, _ condition: AggregateCondition<Object>?) throws -> [Object] {
        switch condition {
        case nil: try fetch(type)
        case .predicate(let predicate): try fetch(type, where: predicate)
        case .keys(let predicate): try fetch(type, where: predicate)
        }
    }

    fileprivate func sum<Object: TypedObject, Value: SummableValue>(
        of objects: some Sequence<Object>, _ keyPath: KeyPath<Object, Value>
    ) throws -> Value.Sum {
        var sum = Value.Sum.zero
        for object in objects {
            guard let value = object[keyPath: keyPath]._summand else { continue }
            guard let next = Value._add(sum, value) else { throw sumTooGreat(keyPath) }
            sum = next
        }
        return sum
    }

    private func sumTooGreat<Object: TypedObject, Value>(_ keyPath: KeyPath<Object, Value>) -> NSError {
        let name = TypedTable.property(at: keyPath)?.name ?? "\(keyPath)"
        return NSError(
            domain: NSCocoaErrorDomain, code: NSCoreDataError,
            userInfo: [NSLocalizedDescriptionKey: "The sum of \(Object.self).\(name) is too great for a 64-bit integer"])
    }

    // MARK: Of all

    /// The sum of a number over the objects of a class, those of its subclasses included; zero over none.
    ///
    /// ```swift
    /// let minutes = try context.sum(\.duration, of: Movie.self, where: .predicate(#Predicate { $0.genre == "drama" }))
    /// let long = try context.sum(\.duration, of: Movie.self, where: .keys(Movie.keys.duration > 180))
    /// ```
    ///
    /// Nil is left out. Unsaved changes are taken into account. This and the other aggregates load the objects and compute in memory. Call them on the
    /// context's queue.
    ///
    /// - Parameters:
    ///   - keyPath: the number.
    ///   - type: the class.
    ///   - condition: which objects to take; nil for all.
    /// - Throws: what a fetch throws, and 134060 if a sum of integers is greater than 64 bits have room for.
    public func sum<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where condition: AggregateCondition<Object>? = nil
    ) throws -> Value.Sum {
        try sum(of: objects(of: type, condition), keyPath)
    }

    /// The average of a number over the objects of a class, those of its subclasses included; nil over none. Nil is left out.
    ///
    /// - Parameters:
    ///   - keyPath: the number.
    ///   - type: the class.
    ///   - condition: which objects to take; nil for all.
    /// - Throws: what a fetch throws.
    public func average<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where condition: AggregateCondition<Object>? = nil
    ) throws -> Value.Average? {
        Value._average(of: try objects(of: type, condition).compactMap { $0[keyPath: keyPath]._summand })
    }

    /// The least value over the objects of a class, those of its subclasses included; nil over none.
    public func min<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where condition: AggregateCondition<Object>? = nil
    ) throws -> Value? {
        try objects(of: type, condition).lazy.map { $0[keyPath: keyPath] }.min()
    }

    /// The least value over the objects of a class, those of its subclasses included; nil over none. Nil is left out.
    public func min<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, where condition: AggregateCondition<Object>? = nil
    ) throws -> Value? {
        try objects(of: type, condition).lazy.compactMap { $0[keyPath: keyPath] }.min()
    }

    /// The greatest value over the objects of a class, those of its subclasses included; nil over none.
    public func max<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where condition: AggregateCondition<Object>? = nil
    ) throws -> Value? {
        try objects(of: type, condition).lazy.map { $0[keyPath: keyPath] }.max()
    }

    /// The greatest value over the objects of a class, those of its subclasses included; nil over none. Nil is left out.
    public func max<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, where condition: AggregateCondition<Object>? = nil
    ) throws -> Value? {
        try objects(of: type, condition).lazy.compactMap { $0[keyPath: keyPath] }.max()
    }

    // MARK: By groups

    /// The objects of a class by the value of a property.
    private func groups<Object: TypedObject, Group: Hashable>(
        of type: Object.Type, by group: KeyPath<Object, Group>, _ condition: AggregateCondition<Object>?
    ) throws -> [Group: [Object]] {
        Dictionary(grouping: try objects(of: type, condition)) { $0[keyPath: group] }
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
        try groups(of: type, by: group, condition).mapValues(\.count)
    }

    /// The sum of a number for each value of a property: `sum(\.duration, of: Movie.self, groupedBy: \.genre)`.
    public func sum<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value.Sum] {
        try groups(of: type, by: group, condition).mapValues { try sum(of: $0, keyPath) }
    }

    /// The average of a number for each value of a property. Groups in which every number is nil are left out.
    public func average<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value.Average] {
        try groups(of: type, by: group, condition).compactMapValues { objects in
            Value._average(of: objects.compactMap { $0[keyPath: keyPath]._summand })
        }
    }

    /// The least value for each value of another property. Groups in which every value is nil are left out.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        try groups(of: type, by: group, condition).compactMapValues { $0.lazy.compactMap { $0[keyPath: keyPath] }.min() }
    }

    /// The least value for each value of another property.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        try groups(of: type, by: group, condition).compactMapValues { $0.lazy.map { $0[keyPath: keyPath] }.min() }
    }

    /// The greatest value for each value of another property. Groups in which every value is nil are left out.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        try groups(of: type, by: group, condition).compactMapValues { $0.lazy.compactMap { $0[keyPath: keyPath] }.max() }
    }

    /// The greatest value for each value of another property.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where condition: AggregateCondition<Object>? = nil
    ) throws -> [Group: Value] {
        try groups(of: type, by: group, condition).compactMapValues { $0.lazy.map { $0[keyPath: keyPath] }.max() }
    }
}
