import DataModel
import Foundation
import Storage

/// Reads some of the history of several stores.
struct HistoryReading {
    private let stores: HistoryStores
    private let range: (HistoryOfStore) throws -> HistoryRange

    init(_ stores: HistoryStores, _ range: @escaping (HistoryOfStore) throws -> HistoryRange) {
        self.stores = stores
        self.range = range
    }

    func transactions(withChanges: Bool) throws -> [NSPersistentHistoryTransaction] {
        try read { history, range in
            let transactions = try history.transactions(range)
            guard withChanges else { return transactions }
            let changes = try history.changes(range, of: transactions)
            var rest = changes[...]
            return transactions.map { transaction in
                let end = rest.firstIndex { $0.transaction?.transactionNumber != transaction.transactionNumber } ?? rest.endIndex
                let own = Array(rest[..<end])
                rest = rest[end...]
                return transaction.with(own)
            }
        }
    }

    func changes() throws -> [NSPersistentHistoryChange] {
        try read { history, range in try history.changes(range, of: history.transactions(range)) }
    }

    private func read<Element>(_ body: (HistoryOfStore, HistoryRange) throws -> [Element]) throws -> [Element] {
        try stores.stores.flatMap { store in
            try store.withHistory { engine in
                try engine.readingHistory {
                    let history = HistoryOfStore(store, engine)
                    return try body(history, range(history))
                }
            } ?? []
        }
    }
}

/// The history of one store, while it is being read.
struct HistoryOfStore {
    private let store: NSPersistentStore
    private let engine: any HistoryEngine

    init(_ store: NSPersistentStore, _ engine: any HistoryEngine) {
        self.store = store
        self.engine = engine
    }

    /// What comes after a token.
    ///
    /// - Throws: 134301 if the history does not reach back to the token, or can't have given it.
    func range(after token: NSPersistentHistoryToken) throws -> HistoryRange {
        let identifier = store.reference.identifier
        guard let number = token.numbers[identifier] else {
            let known = store.persistentStoreCoordinator?.persistentStores.map(\.reference.identifier) ?? []
            // Another store of the coordinator gave it, before this one was added.
            if known.contains(where: { token.numbers[$0] != nil }) { return .all }
            throw expired("the token is of another store")
        }
        let newest = try engine.newestTransaction()
        guard number <= newest else {
            throw expired("the token is of transaction \(number), and the newest one of the store is \(newest)")
        }
        guard number < newest else { return .afterNumber(number) }
        // All later transactions are there if the next one is.
        guard let oldest = try engine.oldestTransaction(), number >= oldest || oldest - number == 1 else {
            throw expired("transactions after \(number), which the token is of, were deleted")
        }
        return .afterNumber(number)
    }

    private func expired(_ reason: String) -> NSError {
        .coreData(
            NSPersistentHistoryTokenExpiredError,
            "The history of “\(store.url?.lastPathComponent ?? store.reference.identifier)” can't be read from this token on: "
                + "\(reason). Read all of the store's objects again, and go on with its current token",
            [NSAffectedStoresErrorKey: [store]])
    }

    func transactions(_ range: HistoryRange) throws -> [NSPersistentHistoryTransaction] {
        var result: [NSPersistentHistoryTransaction] = []
        try engine.readTransactions(range) {
            result.append(NSPersistentHistoryTransaction($0, storeID: store.reference.identifier, changes: nil))
        }
        return result
    }

    /// - Parameter transactions: Those of the range.
    func changes(_ range: HistoryRange, of transactions: [NSPersistentHistoryTransaction]) throws -> [NSPersistentHistoryChange] {
        guard let runtime = store.persistentStoreCoordinator?.runtime else { return [] }
        var rest = transactions[...]
        var result: [NSPersistentHistoryChange] = []
        try engine.readChanges(range) { change in
            while let first = rest.first, first.transactionNumber < change.transaction { rest.removeFirst() }
            let id = NSManagedObjectID(
                runtime: runtime, entityIndex: change.entity.index, key: change.key, store: store.reference)
            result.append(NSPersistentHistoryChange(change, id, rest.first))
        }
        return result
    }
}
