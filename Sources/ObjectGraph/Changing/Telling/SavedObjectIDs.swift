import Foundation
import Synchronization

/// The IDs of the objects of one save.
///
/// For most saves nobody asks for them. So a save notes where its objects are, which takes a few instructions per
/// object, and the IDs and their sets are made when they are first needed.
final class SavedObjectIDs: Sendable {
    struct Sets: Sendable {
        var inserted: Set<NSManagedObjectID> = []
        var updated: Set<NSManagedObjectID> = []
        var deleted: Set<NSManagedObjectID> = []
    }

    let inserted: SavedPlaces
    let updated: SavedPlaces
    let deleted: SavedPlaces
    private let made: Mutex<Sets?>

    /// Call it on the queue of the objects' context.
    init(_ objects: _ChangeBuckets.Objects) {
        inserted = SavedPlaces(objects.inserted)
        updated = SavedPlaces(objects.updated)
        deleted = SavedPlaces(objects.deleted)
        made = Mutex(nil)
    }

    init(_ notification: Notification) {
        func ids(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
            notification.userInfo?[key.rawValue] as? Set<NSManagedObjectID> ?? []
        }
        (inserted, updated, deleted) = (SavedPlaces([]), SavedPlaces([]), SavedPlaces([]))
        made = Mutex(Sets(inserted: ids(.insertedObjectIDs), updated: ids(.updatedObjectIDs), deleted: ids(.deletedObjectIDs)))
    }

    var sets: Sets {
        made.withLock { made in
            if let made { return made }
            let sets = Sets(
                inserted: Set(sparse: inserted.ids), updated: Set(sparse: updated.ids), deleted: Set(sparse: deleted.ids))
            made = sets
            return sets
        }
    }

    /// The sets that are not empty, by their keys.
    var userInfo: [String: Any] {
        let sets = sets
        var info: [String: Any] = [:]
        if !sets.inserted.isEmpty { info[NSManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue] = sets.inserted }
        if !sets.updated.isEmpty { info[NSManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue] = sets.updated }
        if !sets.deleted.isEmpty { info[NSManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue] = sets.deleted }
        return info
    }
}
