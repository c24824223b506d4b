import DataModel
import Foundation
import Predicates
import Storage

/// The common part of all batch requests: one or several entities, the stores that hold them, and one transaction in
/// each store.
struct Batch {
    let context: NSManagedObjectContext
    let entity: EntityLayout
    /// Further entities, whose objects are treated like those of the first.
    private let others: [EntityLayout]
    let stores: [NSPersistentStore]
    private let coordinator: NSPersistentStoreCoordinator
    private let verb: String
    /// Whether stores in memory are accepted, which Apple's framework refuses.
    let takesEveryStore: Bool

    var runtime: ModelRuntime { context.runtime }
    var model: ModelLayout { context.runtime.layout }

    init(
        _ name: String, and others: [NSEntityDescription] = [], _ context: NSManagedObjectContext,
        _ affectedStores: [NSPersistentStore]?, verb: String, takesEveryStore: Bool
    ) throws {
        guard let coordinator = context.persistentStoreCoordinator else {
            throw NSError.coreData(
                NSCoreDataError, "\(context) has no persistentStoreCoordinator, so no “\(name)” can be \(verb) by a batch request"
            )
        }
        let entities = try ([name] + others.compactMap(\.name)).map { name in
            guard let entity = coordinator.runtime.layout.entity(named: name) else {
                throw NSError.coreData(
                    NSCoreDataError, coordinator.runtime.layout.missingEntity(name, for: "The batch request"))
            }
            return entity
        }
        self.context = context
        entity = entities[0]
        self.others = Array(entities.dropFirst())
        self.verb = verb
        self.coordinator = coordinator
        self.takesEveryStore = takesEveryStore
        stores = coordinator.persistentStores.filter { store in
            entities.contains { store.holds($0.name) } && (affectedStores?.contains { $0 === store } ?? true)
        }
    }

    /// Runs a piece of work in one transaction of each store: in all of them, or in none.
    func write<Result>(
        in stores: [NSPersistentStore], _ body: (NSPersistentStore, any BatchTransaction, BatchWrites) throws -> Result
    ) throws -> [Result] {
        guard let store = stores.first else { return [] }
        var writes: BatchWrites?
        return try store.save { transaction in
            guard takesEveryStore || store.engine.takesBatchRequests, let batch = transaction.batches else {
                throw unsupported(store)
            }
            batch.describe(author: context.transactionAuthor, contextName: context.name)
            let own = BatchWrites(store, batch)
            writes = own
            let result = try body(store, batch, own)
            return try [result] + write(in: Array(stores.dropFirst()), body)
        } didCommit: {
            writes?.didCommit(coordinator.clock)
            context.shared.newerRows.advance()
        }
    }

    private func unsupported(_ store: NSPersistentStore) -> NSError {
        StoreKinds.unsupported(
            "“\(entity.name)” can't be \(verb) by a batch request", type: store.type, [NSAffectedStoresErrorKey: [store]])
    }

    /// The rows of a store that a fetch would find. Must be called inside of the transaction.
    func rows(_ settings: FetchSettings, in store: NSPersistentStore) throws -> [RowKey] {
        try ([entity] + others).filter { store.holds($0.name) }.flatMap { entity in
            var settings = settings
            settings.entity = entity.description
            return try rows(of: entity, settings, in: store)
        }
    }

    private func rows(of entity: EntityLayout, _ settings: FetchSettings, in store: NSPersistentStore) throws -> [RowKey] {
        let request = NSFetchRequest<any NSFetchRequestResult>(settings)
        request.includesPendingChanges = false
        request.relationshipKeyPathsForPrefetching = nil
        request.propertiesToFetch = nil
        let plan = try FetchPlan(request, in: context)
        let query = try StoreQuery(plan, store)
        guard let rows = query.requestForKeys(plan) else {
            if query.isExpressible || !store.engine.takesBatchRequests { return try rowsByObjects(request, in: store) }
            throw NSError.coreData(
                NSCoreDataError,
                "A batch request for “\(entity.name)” needs a predicate and sort descriptors that the store can evaluate, without closures: "
                    + "\(settings.predicate?.description ?? "") \(settings.sortDescriptors ?? [])")
        }
        let consumer = KeyCollector()
        do {
            try store.fetch(rows, into: consumer)
        } catch is QueryLimit {
            return try rowsByObjects(request, in: store)
        }
        return consumer.keys
    }

    /// The rows of a store that does not evaluate the query. Their objects are made in a separate context.
    private func rowsByObjects(_ request: NSFetchRequest<any NSFetchRequestResult>, in store: NSPersistentStore) throws
        -> [RowKey]
    {
        request.affectedStores = [store]
        let scratch = NSManagedObjectContext(.privateQueue)
        scratch.persistentStoreCoordinator = coordinator
        return try scratch.queue.owning {
            try FetchPlan(request, in: scratch).objects().map { RowKey(entity: $0.layout.index, key: $0.key) }
        }
    }
}
