import DataModel
import Foundation
import ObjectGraph

/// Groups the objects of a class by the value of a property, and computes aggregates over each group.
struct Grouping<Object: TypedObject, Group: Hashable> {
    private let context: NSManagedObjectContext
    private let condition: ObjectCondition<Object>
    /// The name of the property in the model, or of a path. It is nil if only objects have the value.
    private let name: String?
    private let group: (Object) throws -> Group

    init(
        _ context: NSManagedObjectContext, _ keyPath: KeyPath<Object, Group>, _ condition: ObjectCondition<Object>
    ) {
        self.context = context
        self.condition = condition
        name = KeyPathNames.storedPath(of: keyPath)
        group = { $0[keyPath: keyPath] }
    }

    init(_ context: NSManagedObjectContext, _ key: TypedKey<Object, Group>, _ condition: ObjectCondition<Object>) {
        self.context = context
        self.condition = condition
        name = key.storedName
        let reader = ColumnReader<Group>(in: context)
        group = { object in
            let value = object.value(forKeyPath: key.storedName)
            if let group = reader?.read(value) ?? (value as? Group) { return group }
            let text = "\(key) is “\(value ?? "nil")” in \(object.objectID), which is not a \(TypeCheck.describe(Group.self))"
            throw NSError.coreData(NSCoreDataError, text)
        }
    }

    // MARK: Aggregates

    func count() throws -> [Group: Int] { try results({ $0.addCount() }, ofNone: 0, inMemory: \.count) }

    func sum<Value: SummableValue>(_ keyPath: KeyPath<Object, Value>) throws -> [Group: Value.Sum] {
        try results(
            { $0.addFunction("sum:", of: keyPath, Value.Sum.self) }, counting: counter(keyPath), ofNone: .zero,
            inMemory: { objects in try context.sum(of: objects, keyPath) })
    }

    func average<Value: SummableValue>(_ keyPath: KeyPath<Object, Value>) throws -> [Group: Value.Average] {
        try results(
            { $0.addFunction("average:", of: keyPath, Value.Average.self) }, counting: counter(keyPath), ofNone: nil,
            inMemory: { objects in Value._average(of: objects.compactMap { $0[keyPath: keyPath]._summand }) })
    }

    /// - Parameter value: Unwraps the value of the property.
    func extreme<Property, Value: Comparable>(
        _ extreme: Extreme, _ keyPath: KeyPath<Object, Property>, _ value: (Property) -> Value?
    ) throws -> [Group: Value] {
        func add(_ query: inout ColumnQuery<Object>) -> ColumnReader<Value?>? {
            // A store that orders the values in another way may choose another value.
            guard (Value.self as? any StoreValue.Type)?.isOrderedByStores == true else { return nil }
            return query.addFunction(extreme.function, of: keyPath, Value.self)
        }
        return try results(add, ofNone: nil) { objects in extreme.of(objects.compactMap { value($0[keyPath: keyPath]) }) }
    }

    // MARK: Both ways

    /// Adds a column that counts the values of a property.
    private typealias Counter = (inout ColumnQuery<Object>) -> ColumnReader<Int?>?

    private func counter<Value>(_ keyPath: KeyPath<Object, Value>) -> Counter {
        { $0.addFunction("count:", of: keyPath, Int.self) }
    }

    /// The aggregate of each group. A store computes it if it can, and otherwise memory does.
    ///
    /// - Parameters:
    ///   - add: Adds the function to a store's query.
    ///   - counter: Counts the values of a group. A store's result is nil if there are no values, and also if the result is not
    ///     a number. The count tells the two apart.
    ///   - none: The result for a group in which every value is nil, or nil to leave the group out.
    ///   - inMemory: The function over objects.
    private func results<Result>(
        _ add: (inout ColumnQuery<Object>) -> ColumnReader<Result?>?, counting counter: Counter? = nil, ofNone none: Result?,
        inMemory: ([Object]) throws -> Result?
    ) throws -> [Group: Result] {
        if let groups = try storeResults(add) {
            let nils = Result.self is any FloatingPoint.Type ? groups.filter { $0.value == nil } : [:]
            let counts = try nils.isEmpty ? nil : counter.flatMap(storeResults)
            let isNumber = nils.keys.allSatisfy { (counts?[$0] ?? nil) ?? 0 == 0 }
            if isNumber { return groups.compactMapValues { $0 ?? none } }
        }
        return try Dictionary(grouping: context.objects(of: Object.self, condition), by: group).compactMapValues(inMemory)
    }

    /// The groups as a store computes them. The result is nil if no store can compute them. It is also nil if the store's groups
    /// are not those of the Swift type: if a value is not one of the type, or if texts differ in the store and are equal in
    /// Swift.
    private func storeResults<Result>(
        _ add: (inout ColumnQuery<Object>) -> ColumnReader<Result?>?
    ) throws -> [Group: Result?]? {
        guard let name, var query = try ColumnQuery(context, Object.self, condition),
            let groupReader = query.addGroup(named: name, Group.self), let reader = add(&query), let rows = try query.rows()
        else { return nil }
        var groups: [Group: Result?] = [:]
        for row in rows {
            guard let key = groupReader.read(row[0]), let value = reader.read(row[1]),
                groups.updateValue(value, forKey: key) == nil
            else { return nil }
        }
        return groups
    }
}
