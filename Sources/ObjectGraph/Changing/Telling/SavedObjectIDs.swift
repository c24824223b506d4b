import Foundation

/// The IDs of the objects of one save.
struct SavedObjectIDs: Sendable {
    var inserted: Set<NSManagedObjectID> = []
    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []

    init() {}

    init(_ notification: Notification) {
        func ids(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
            notification.userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []
        }
        inserted = ids(.insertedObjectIDs)
        updated = ids(.updatedObjectIDs)
        deleted = ids(.deletedObjectIDs)
    }

    /// The sets that are not empty, by their keys.
    var userInfo: [String: Any] {
        var info: [String: Any] = [:]
        if !inserted.isEmpty { info[NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue] = inserted }
        if !updated.isEmpty { info[NSManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue] = updated }
        if !deleted.isEmpty { info[NSManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue] = deleted }
        return info
    }
}
