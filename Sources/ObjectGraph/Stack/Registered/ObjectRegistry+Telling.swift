import Foundation
import Storage

/// Tells a program's store which of its objects contexts have.
extension ObjectRegistry {
    private func id(_ key: Int64) -> NSManagedObjectID {
        NSManagedObjectID(runtime: runtime, entityIndex: layout.index, key: key, store: store)
    }

    /// To be called on the context's queue, when no lock is held.
    @inline(never) func tellRegistered(_ key: Int64) {
        (store?.store as? NSIncrementalStore)?.managedObjectContextDidRegisterObjects(with: [id(key)])
    }

    /// Callable on every thread, and while locks are held: the store is told later. Nothing is told when the context is
    /// gone, which has told it.
    @inline(never) func tellUnregistered(_ keys: [Int64]) {
        guard !keys.isEmpty, withLock({ record.pointee.context != nil }) else { return }
        let ids = keys.map(id)
        guard let store = store?.store as? NSIncrementalStore else { return }
        Self.events.async { store.managedObjectContextDidUnregisterObjects(with: ids) }
    }

    private static let events = DispatchQueue(label: "OpenCoreData.StoreEvents")
}
