import DataModel
import Foundation
import Storage

/// The stores of a coordinator that have a history.
struct HistoryStores {
    let stores: [NSPersistentStore]

    /// - Parameter wanted: The stores that a request is for; nil for all.
    /// - Throws: 134091 if none of them has a history.
    init(_ coordinator: NSPersistentStoreCoordinator, _ wanted: [NSPersistentStore]?) throws {
        let own = coordinator.persistentStores
        stores = try own.filter { store in
            guard wanted?.contains(where: { $0 === store }) ?? true else { return false }
            return try store.withHistory { _ in true } ?? false
        }
        guard stores.isEmpty else { return }
        throw NSError.coreData(
            NSPersistentStoreUnsupportedRequestTypeError,
            "There is no history: none of the stores keeps one. Add an SQLite store with NSPersistentHistoryTrackingKey",
            [NSAffectedStoresErrorKey: wanted ?? own])
    }

    /// - Parameter range: What to delete in the store with a UUID; nil for nothing.
    /// - Returns: How many transactions are gone.
    func delete(_ range: (String) -> HistoryRange?) throws -> Int {
        var count = 0
        for store in stores {
            guard let range = range(store.reference.identifier) else { continue }
            count += try store.withHistory { try $0.deleteTransactions(range) } ?? 0
        }
        return count
    }
}

extension NSPersistentStore {
    /// Runs `body` with what reads the store's history, while nobody else uses the store.
    ///
    /// - Returns: Nil if the store has none. Then `body` was not called.
    final func withHistory<Result>(_ body: (any HistoryEngine) throws -> Result) throws -> Result? {
        try asked(by: nil) {
            guard let history = engine.history, try history.hasHistory else { return nil }
            return try body(history)
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// The place in the history after everything that was saved so far.
    ///
    /// - Parameter stores: The stores, each an `NSPersistentStore`; nil for all.
    /// - Returns: Nil if none of the stores has a history, or if it can't be read. May be called on every thread.
    public final func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        let wanted = stores?.compactMap { $0 as? NSPersistentStore }
        guard let all = try? HistoryStores(self, wanted) else { return nil }
        var numbers: [String: Int64] = [:]
        for store in all.stores {
            guard let number = try? store.withHistory({ try $0.newestTransaction() }) else { continue }
            numbers[store.reference.identifier] = number
        }
        return numbers.isEmpty ? nil : NSPersistentHistoryToken(numbers)
    }
}
