public import Foundation
public import ObjectGraph

// Aggregates for each value of a property. What is said of `sum(_:of:where:)` holds for them.

extension NSManagedObjectContext {
    /// How many objects of a class there are for each value of a property: `count(of: Movie.self, groupedBy: \.genre)`.
    ///
    /// - Parameters:
    ///   - type: the class.
    ///   - group: the property; objects without value are a group of their own, nil.
    ///   - predicate: which objects to take; nil for all.
    /// - Throws: what a fetch throws.
    public func count<Object: TypedObject, Group: Hashable>(
        of type: Object.Type, groupedBy group: KeyPath<Object, Group>, where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Int] {
        try Grouping(self, group, ObjectCondition(predicate)).count()
    }

    /// The same with a condition made of keys or key paths.
    public func count<Object: TypedObject, Group: Hashable>(
        of type: Object.Type, groupedBy group: KeyPath<Object, Group>, where predicate: TypedPredicate<Object>
    ) throws -> [Group: Int] {
        try Grouping(self, group, ObjectCondition(predicate)).count()
    }

    /// The sum of a number for each value of a property: `sum(\.duration, of: Movie.self, groupedBy: \.genre)`.
    public func sum<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Value.Sum] {
        try Grouping(self, group, ObjectCondition(predicate)).sum(keyPath)
    }

    /// The same with a condition made of keys or key paths.
    public func sum<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: TypedPredicate<Object>
    ) throws -> [Group: Value.Sum] {
        try Grouping(self, group, ObjectCondition(predicate)).sum(keyPath)
    }

    /// The average of a number for each value of a property. Groups in which every number is nil are left out.
    public func average<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Value.Average] {
        try Grouping(self, group, ObjectCondition(predicate)).average(keyPath)
    }

    /// The same with a condition made of keys or key paths.
    public func average<Object: TypedObject, Value: SummableValue, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: TypedPredicate<Object>
    ) throws -> [Group: Value.Average] {
        try Grouping(self, group, ObjectCondition(predicate)).average(keyPath)
    }

    /// The least value for each value of another property. Groups in which every value is nil are left out.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.least, keyPath) { $0 }
    }

    /// The same with a condition made of keys or key paths.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: TypedPredicate<Object>
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.least, keyPath) { $0 }
    }

    /// The least value for each value of another property.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.least, keyPath) { $0 }
    }

    /// The same with a condition made of keys or key paths.
    public func min<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: TypedPredicate<Object>
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.least, keyPath) { $0 }
    }

    /// The greatest value for each value of another property. Groups in which every value is nil are left out.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.greatest, keyPath) { $0 }
    }

    /// The same with a condition made of keys or key paths.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: TypedPredicate<Object>
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.greatest, keyPath) { $0 }
    }

    /// The greatest value for each value of another property.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.greatest, keyPath) { $0 }
    }

    /// The same with a condition made of keys or key paths.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: TypedPredicate<Object>
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.greatest, keyPath) { $0 }
    }
}
