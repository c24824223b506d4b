import DataModel
import Foundation
import Predicates
import Storage

/// A fetch whose results are dictionaries. The stores answer it; unsaved changes don't count.
struct DictionaryFetch {
    let context: NSManagedObjectContext
    let entity: EntityLayout
    let settings: FetchSettings
    let window: FetchWindow
    let affectedStores: [NSPersistentStore]?
    let columns: [DictionaryColumn]
    let groups: [ExpressionNode]
    let having: PredicateNode?

    var model: ModelLayout { context.runtime.layout }

    /// Whether several rows make one result.
    var isGrouped: Bool { !groups.isEmpty || columns.contains { hasRowFunctions($0.node) } }

    /// - Throws: 134060 for columns that do not fit the entity.
    init<T>(_ request: NSFetchRequest<T>, in context: NSManagedObjectContext) throws {
        let name = request.entityName ?? ""
        guard let entity = context.runtime.layout.entity(named: name) else {
            throw NSError.coreData(NSCoreDataError, context.runtime.layout.missingEntity(name, for: "The fetch request"))
        }
        self.context = context
        self.entity = entity
        settings = request.settings
        window = try FetchWindow(limit: request.fetchLimit, offset: request.fetchOffset, of: name)
        affectedStores = request.affectedStores
        let reader = ColumnReading(entity, context.runtime.layout)
        let given = request.propertiesToFetch ?? []
        columns = try given.isEmpty ? reader.allAttributes : given.map(reader.column)
        groups = try (request.propertiesToGroupBy ?? []).map { try reader.column($0).node }
        let nodes = Dictionary(columns.map { ($0.name, $0.node) }, uniquingKeysWith: { first, _ in first })
        having = request.havingPredicate.map { predicate in
            PredicateNode(predicate).replacing { node in
                // A column's name stands for the column's expression. It is written as a key or, as Apple's framework
                // demands, as a variable.
                switch node {
                case .keyPath(.evaluatedObject, let keys): return nodes[keys.joined(separator: ".")] ?? node.withRowFunctions
                case .variable(let name): return nodes[name]
                default: return nil
                }
            }
        }
        try check()
    }

    private func check() throws {
        for group in groups where hasRowFunctions(group) {
            throw failure("propertiesToGroupBy has a function of all rows, which has no value before the rows are grouped")
        }
        _ = try having?.replacing { part in
            try ColumnReading(entity, model).checkRowFunctions(part, isInside: false, of: "the havingPredicate")
            guard !isGrouped || hasOneValue(part) else {
                throw failure("“\(_NSExpression(part))” in the havingPredicate \(Self.hasNoValue)")
            }
            return part
        }
        guard having == nil || isGrouped else {
            throw failure("it has a havingPredicate and neither propertiesToGroupBy nor an aggregate")
        }
        guard isGrouped else { return }
        for column in columns where !hasOneValue(column.node) { throw failure("“\(column.name)” \(Self.hasNoValue)") }
    }

    private static let hasNoValue = "is neither an aggregate nor in propertiesToGroupBy, so it can have several values in a group"

    /// Whether the expression has one value for all rows of a group: it consists of functions of all rows, of grouped
    /// properties, and of constants.
    func hasOneValue(_ node: ExpressionNode) -> Bool {
        node.replacing { isRowFunction($0) || groups.contains($0) ? .constant(.null) : nil }.isConstant
    }

    func failure(_ reason: String) -> NSError {
        .coreData(NSCoreDataError, "A fetch of dictionaries of “\(entity.name)” can't be done: \(reason)")
    }

    /// Whether the expression has a function of many rows, and not of the members of one row's relationship.
    func hasRowFunctions(_ node: ExpressionNode) -> Bool {
        var isFound = false
        _ = node.replacing { part in
            if isRowFunction(part) { isFound = true }
            return nil
        }
        return isFound
    }

    func isRowFunction(_ node: ExpressionNode) -> Bool { ColumnReading(entity, model).isRowFunction(node) }

    // MARK: Running

    func results() throws -> [NSDictionary] {
        if stores.count == 1, stores[0].engine.executesRequests {
            var settings = settings
            settings.entity = entity.description
            if let own = try stores[0].dictionaries(settings, for: context) { return own }
        }
        return results(try storeRows() ?? MemoryColumns(self).rows())
    }

    /// The values of the columns as results, in the classes that belong to the columns' types.
    func results(_ rows: [[PredicateValue]]) -> [NSDictionary] {
        rows.map { values in
            var result: [String: Any] = [:]
            for (column, value) in zip(columns, values) { result[column.name] = DictionaryColumn.shown(value, as: column.type) }
            return NSDictionary(dictionary: result)
        }
    }

    /// The values that one store computes by itself, in the order of the columns; nil if it can't.
    func storeValues() throws -> [[Any?]]? {
        try storeRows()?.map { values in zip(columns, values).map { DictionaryColumn.shown($1, as: $0.type) } }
    }

    var stores: [NSPersistentStore] {
        context.persistentStoreCoordinator?.persistentStores
            .filter { store in store.holds(entity.name) && (affectedStores?.contains { $0 === store } ?? true) } ?? []
    }

    /// A fetch of the objects from which the dictionaries are made.
    var objectRequest: NSFetchRequest<NSManagedObject> {
        var settings = settings
        settings.resultType = 0
        settings.includesPendingChanges = false
        settings.propertiesToFetch = nil
        settings.relationshipKeyPathsForPrefetching = nil
        settings.sortDescriptors = nil
        (settings.fetchLimit, settings.fetchOffset, settings.fetchBatchSize) = (0, 0, 0)
        return NSFetchRequest(settings, affectedStores: affectedStores)
    }

    /// The fetch as a request to one store; nil if one store can't do it.
    func storeColumns() throws -> (store: NSPersistentStore, columns: StoreColumns)? {
        guard stores.count == 1, let store = stores.first, store.engine.columns != nil else { return nil }
        let plan = try FetchPlan(objectRequest, in: context)
        let query = try StoreQuery(plan, store)
        guard query.isFiltered, let columns = try StoreColumns(self, query, store) else { return nil }
        return (store, columns)
    }

    private func storeRows() throws -> [[PredicateValue]]? {
        guard let (store, columns) = try storeColumns() else { return nil }
        var rows: [[PredicateValue]] = []
        do {
            try store.fetchColumns(columns.request, in: context.generationToRead) { values in
                rows.append(columns.row(values, store.reference))
            }
        } catch is QueryLimit {
            return nil
        }
        return rows
    }
}
