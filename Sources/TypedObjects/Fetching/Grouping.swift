import DataModel
import Foundation
import ObjectGraph

/// The objects of a class by the value of a property, for aggregates over each group.
struct Grouping<Object: TypedObject, Group: Hashable> {
    private let context: NSManagedObjectContext
    private let condition: ObjectCondition<Object>
    /// The name of the property in the model, or of a path; nil if only objects have it.
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

    /// - Parameter value: the value of a property, if it has one.
    func extreme<Property, Value: Comparable>(
        _ extreme: Extreme, _ keyPath: KeyPath<Object, Property>, _ value: (Property) -> Value?
    ) throws -> [Group: Value] {
        func add(_ query: inout ColumnQuery<Object>) -> ColumnReader<Value?>? {
            // In any other order a store may choose another value.
            guard (Value.self as? any StoreValue.Type)?.isOrderedByStores == true else { return nil }
            return query.addFunction(extreme.function, of: keyPath, Value.self)
        }
        return try results(add, ofNone: nil) { objects in extreme.of(objects.compactMap { value($0[keyPath: keyPath]) }) }
    }

    // MARK: Both ways

    /// - Parameters:
    ///   - add: adds a function to a store's query.
    ///   - none: what stands for a group in which every value is nil; nil to leave it out.
    ///   - inMemory: the function over objects.
    private typealias Counter = (inout ColumnQuery<Object>) -> ColumnReader<Int?>?

    private func counter<Value>(_ keyPath: KeyPath<Object, Value>) -> Counter {
        { $0.addFunction("count:", of: keyPath, Int.self) }
    }

    /// - Parameter counter: counts the values behind a result, if that may be not a number, for which a store has nil as it has
    ///   for no value.
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

    /// Nil if no store can, and where the store's groups are not those of the Swift type: values that the type doesn't have, or
    /// texts that are equal to Swift only.
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
