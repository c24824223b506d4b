import DataModel
import Storage

/// The rows that a batch request writes in one store, for the coordinator, which remembers their versions, and for
/// contexts that merge them.
final class BatchWrites {
    let store: NSPersistentStore
    private let transaction: any BatchTransaction
    private(set) var updated: [RowKey] = []
    private(set) var deleted: [RowKey] = []
    private var recent: [RecentWrites.Entry] = []

    init(_ store: NSPersistentStore, _ transaction: any BatchTransaction) {
        self.store = store
        self.transaction = transaction
    }

    func update(_ keys: [Int64], entity: EntityLayout, assignments: BatchAssignments) throws {
        try transaction.update(keys, entity: entity, assignments: assignments)
        updated += keys.map { RowKey(entity: entity.index, key: $0) }
        // So many rows are not remembered.
        let isMany = keys.count > RecentWrites.greatestRowCount
        let versions = isMany ? [:] : try transaction.versions(of: keys, entity: entity)
        note(keys, entity, isMany ? [] : keys.map { versions[$0] ?? 0 })
    }

    func delete(_ keys: [Int64], entity: EntityLayout) throws {
        try transaction.delete(keys, entity: entity)
        deleted += keys.map { RowKey(entity: entity.index, key: $0) }
        note(keys, entity, [Int64](repeating: 0, count: keys.count))
    }

    private func note(_ keys: [Int64], _ entity: EntityLayout, _ versions: [Int64]) {
        recent.append(RecentWrites.Entry(root: entity.root, entity: entity.index, keys: keys, versions: versions))
    }

    /// Must be called while no one else can save.
    func didCommit(_ clock: WriteClock) { store.recentWrites.add(recent, clock) }
}
