import DataModel
public import Foundation
public import ObjectGraph

extension NSManagedObjectContext {
    /// The objects for which a condition is true.
    func objects<Object: TypedObject>(of type: Object.Type, _ condition: ObjectCondition<Object>) throws -> [Object] {
        switch condition {
        case .all: try fetch(type)
        case .predicate(let predicate): try fetch(type, where: predicate)
        case .keys(let predicate): try fetch(type, where: predicate)
        }
    }

    /// The sum of a number over objects.
    func sum<Object: TypedObject, Value: SummableValue>(
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
        return NSError.coreData(NSCoreDataError, "The sum of \(Object.self).\(name) is too great for a 64-bit integer")
    }

    /// A function of a property's values that a store computes. The outer optional is nil if no store can compute it. The inner
    /// one is nil if there are no values.
    ///
    /// - Throws: 134060 if the result does not fit in its type.
    private func computed<Object: TypedObject, Value, Result>(
        _ function: String, _ keyPath: KeyPath<Object, Value>, as result: Result.Type, _ condition: ObjectCondition<Object>
    ) throws -> Result?? {
        guard var query = try ColumnQuery(self, Object.self, condition),
            let reader = query.addFunction(function, of: keyPath, result), let rows = try query.rows(), let found = rows.first
        else { return nil }
        guard let value = reader.read(found[0]) else { throw sumTooGreat(keyPath) }
        // A store's result is nil if there are no values. It is also nil if the sum is not a number, for example the sum of both
        // infinities.
        if value == nil, result is any FloatingPoint.Type,
            let count = try computed("count:", keyPath, as: Int.self, condition) ?? nil, count > 0
        {
            return nil
        }
        return .some(value)
    }

    private func sum<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, _ condition: ObjectCondition<Object>
    ) throws -> Value.Sum {
        if let sum = try computed("sum:", keyPath, as: Value.Sum.self, condition) { return sum ?? .zero }
        return try sum(of: objects(of: Object.self, condition), keyPath)
    }

    private func average<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, _ condition: ObjectCondition<Object>
    ) throws -> Value.Average? {
        if let average = try computed("average:", keyPath, as: Value.Average.self, condition) { return average }
        return Value._average(of: try objects(of: Object.self, condition).compactMap { $0[keyPath: keyPath]._summand })
    }

    // MARK: Of all

    /// The sum of a number over the objects of a class and its subclasses. It is zero if there are no values.
    ///
    /// ```swift
    /// let minutes = try context.sum(\.duration, of: Movie.self, where: #Predicate { $0.genre == "drama" })
    /// let long = try context.sum(\.duration, of: Movie.self, where: Movie.keys.duration > 180)
    /// ```
    ///
    /// Nil values are left out. Unsaved changes count.
    ///
    /// The store computes this and the other aggregates if it can. It then uses the saved values, even if the context has not
    /// merged them. The context loads the objects instead if it has unsaved changes to objects of the class, or if only objects
    /// have the value, such as a computed or coded property.
    ///
    /// Call it on the context's queue.
    ///
    /// - Parameters:
    ///   - keyPath: A property that is a number.
    ///   - type: The class.
    ///   - predicate: Which objects to use, or nil for all.
    /// - Throws: The error of a fetch, or 134060 if a sum of integers does not fit in 64 bits.
    public func sum<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws -> Value.Sum {
        try sum(keyPath, ObjectCondition(predicate))
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func sum<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: TypedPredicate<Object>
    ) throws -> Value.Sum {
        try sum(keyPath, ObjectCondition(predicate))
    }

    /// The average of a number over the objects of a class and its subclasses. It is nil if there are no values. Nil values are
    /// left out.
    ///
    /// - Parameters:
    ///   - keyPath: A property that is a number.
    ///   - type: The class.
    ///   - predicate: Which objects to use, or nil for all.
    /// - Throws: The error of a fetch.
    public func average<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws -> Value.Average? {
        try average(keyPath, ObjectCondition(predicate))
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func average<Object: TypedObject, Value: SummableValue>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: TypedPredicate<Object>
    ) throws -> Value.Average? {
        try average(keyPath, ObjectCondition(predicate))
    }

    /// The least value over the objects of a class and its subclasses. It is nil if there are no objects.
    public func min<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws -> Value? {
        try extreme(.least, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func min<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: TypedPredicate<Object>
    ) throws -> Value? {
        try extreme(.least, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// The least value over the objects of a class and its subclasses. It is nil if there are no values. Nil values are left out.
    public func min<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws -> Value? {
        try extreme(.least, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func min<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, where predicate: TypedPredicate<Object>
    ) throws -> Value? {
        try extreme(.least, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// The greatest value over the objects of a class and its subclasses. It is nil if there are no objects.
    public func max<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws -> Value? {
        try extreme(.greatest, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func max<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value>, of type: Object.Type, where predicate: TypedPredicate<Object>
    ) throws -> Value? {
        try extreme(.greatest, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// The greatest value over the objects of a class and its subclasses. It is nil if there are no values. Nil values are left
    /// out.
    public func max<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, where predicate: Predicate<Object>? = nil
    ) throws -> Value? {
        try extreme(.greatest, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// See the form with a `#Predicate`. This one takes a condition made of keys or key paths.
    public func max<Object: TypedObject, Value: Comparable>(
        _ keyPath: KeyPath<Object, Value?>, of type: Object.Type, where predicate: TypedPredicate<Object>
    ) throws -> Value? {
        try extreme(.greatest, keyPath, of: type, ObjectCondition(predicate)) { $0 }
    }

    /// - Parameter value: Unwraps the value of the property.
    private func extreme<Object: TypedObject, Property, Value: Comparable>(
        _ extreme: Extreme, _ keyPath: KeyPath<Object, Property>, of type: Object.Type, _ condition: ObjectCondition<Object>,
        _ value: (Property) -> Value?
    ) throws -> Value? {
        if (Value.self as? any StoreValue.Type)?.isOrderedByStores == true,
            let found = try computed(extreme.function, keyPath, as: Value.self, condition)
        {
            return found
        }
        return extreme.of(try objects(of: type, condition).compactMap { value($0[keyPath: keyPath]) })
    }
}
