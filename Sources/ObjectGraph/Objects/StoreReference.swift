import DataModel
import Foundation
import Synchronization

/// A reference of object IDs and registries to a store: its UUID, and the store while it is open.
///
/// `@unchecked Sendable`: the weak reference is only touched under the lock; the rest is constant.
final class StoreReference: @unchecked Sendable {
    let identifier: String
    /// The number of the store in its coordinator. It is never given to another store.
    let index: Int
    private let lock = NSLock()
    private weak var openStore: NSPersistentStore?

    init(identifier: String, index: Int) {
        self.identifier = identifier
        self.index = index
    }

    var store: NSPersistentStore? {
        get { lock.withLock { openStore } }
        set { lock.withLock { openStore = newValue } }
    }

    /// - Throws: 134070 if the coordinator no longer has the store.
    func requireStore() throws -> NSPersistentStore {
        if let store { return store }
        throw NSError.coreData(
            NSPersistentStoreOperationError,
            "The store \(identifier) was removed from the coordinator, so its objects can't be read")
    }
}
