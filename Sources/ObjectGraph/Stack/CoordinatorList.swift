import Foundation

/// The coordinators there are, none of them held: for IDs that come without a context.
enum CoordinatorList {
    private static let coordinators = WeakList<NSPersistentStoreCoordinator>()

    static func add(_ coordinator: NSPersistentStoreCoordinator) { coordinators.add(coordinator) }

    /// The ID that a URL stands for, of the coordinator made last that has its store.
    static func managedObjectID(for url: URL) -> NSManagedObjectID? {
        for coordinator in coordinators.all.reversed() {
            if let id = coordinator.managedObjectID(forURIRepresentation: url) { return id }
        }
        return nil
    }
}
