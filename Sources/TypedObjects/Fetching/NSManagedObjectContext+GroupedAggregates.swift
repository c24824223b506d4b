public import Foundation
public import ObjectGraph

// Aggregates for each value of a property. The rules of `sum(_:of:where:)` apply to them.

extension NSManagedObjectContext {
    /// The number of objects of a class for each value of a property: `count(of: Movie.self, groupedBy: \.genre)`.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - group: The property. Objects without a value are the group nil.
    ///   - predicate: Which objects to use, or nil for all.
    /// - Throws: The error of a fetch.
    public func count<Object: TypedObject, Group: Hashable>(
        of type: Object.Type, groupedBy group: KeyPath<Object, Group>, where predicate: Predicate<Object>? = nil
    ) throws -> [Group: Int] {
        try Grouping(self, group, ObjectCondition(predicate)).count()
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
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

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
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

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
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

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
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

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
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

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
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

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func max<Object: TypedObject, Value: Comparable, Group: Hashable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, groupedBy group: KeyPath<Object, Group>,
        where predicate: TypedPredicate<Object>
    ) throws -> [Group: Value] {
        try Grouping(self, group, ObjectCondition(predicate)).extreme(.greatest, keyPath) { $0 }
    }
}
