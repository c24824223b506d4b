import DataModel
import Storage

/// The outcome of a batch request in one store.
struct BatchOutcome {
    let store: StoreReference
    /// The rows that the request's result is about.
    let rows: [RowKey]
    /// The number of these rows, even if they were not noted.
    let count: Int
    let inserted: [RowKey]
    let updated: [RowKey]
    let deleted: [RowKey]

    init(_ rows: [RowKey], count: Int? = nil, inserted: [RowKey] = [], _ writes: BatchWrites) {
        store = writes.store.reference
        self.rows = rows
        self.count = count ?? rows.count
        self.inserted = inserted
        updated = writes.updated
        deleted = writes.deleted
    }
}

extension [BatchOutcome] {
    var rowCount: Int { reduce(0) { $0 + $1.count } }

    func ids(_ rows: KeyPath<BatchOutcome, [RowKey]>, _ runtime: ModelRuntime) -> [NSManagedObjectID] {
        flatMap { outcome in
            outcome[keyPath: rows].map {
                NSManagedObjectID(runtime: runtime, entityIndex: $0.entityIndex, key: $0.key, store: outcome.store)
            }
        }
    }
}
