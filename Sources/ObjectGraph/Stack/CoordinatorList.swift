import Foundation
import Synchronization

/// The coordinators there are, none of them held: for IDs that come without a context.
enum CoordinatorList {
    private struct Entry: Sendable {
        weak var coordinator: NSPersistentStoreCoordinator?
    }

    private static let entries = Mutex<[Entry]>([])

    static func add(_ coordinator: NSPersistentStoreCoordinator) {
        entries.withLock { entries in
            entries.removeAll { $0.coordinator == nil }
            entries.append(Entry(coordinator: coordinator))
        }
    }

    /// The ID that a URL stands for, of the coordinator made last that has its store.
    static func managedObjectID(for url: URL) -> NSManagedObjectID? {
        // Outside the lock: coordinators have locks of their own.
        let coordinators = entries.withLock { $0.compactMap(\.coordinator) }
        for coordinator in coordinators.reversed() {
            if let id = coordinator.managedObjectID(forURIRepresentation: url) { return id }
        }
        return nil
    }
}
