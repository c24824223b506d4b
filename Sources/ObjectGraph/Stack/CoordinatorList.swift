import Foundation

/// A list of all coordinators that holds none of them, for IDs that come without a context.
enum CoordinatorList {
    private static let coordinators = WeakList<NSPersistentStoreCoordinator>()

    static func add(_ coordinator: NSPersistentStoreCoordinator) { coordinators.add(coordinator) }

    /// The ID that a URL stands for. If several coordinators have the store, the one that was made last gives the ID.
    static func managedObjectID(for url: URL) -> NSManagedObjectID? {
        for coordinator in coordinators.all.reversed() {
            if let id = coordinator.managedObjectID(forURIRepresentation: url) { return id }
        }
        return nil
    }
}
