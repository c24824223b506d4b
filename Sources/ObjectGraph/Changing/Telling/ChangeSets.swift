import Foundation

/// The sets of one notification.
struct ChangeSets {
    var inserted = ObjectSet()
    var updated = ObjectSet()
    var deleted = ObjectSet()
    var refreshed = ObjectSet()

    init() {}

    init(_ objects: _ChangeBuckets.Objects) {
        inserted = ObjectSet(objects.inserted)
        updated = ObjectSet(objects.updated)
        deleted = ObjectSet(objects.deleted)
        refreshed = ObjectSet(objects.refreshed)
    }

    init(_ notification: Notification) {
        func objects(_ key: String) -> ObjectSet { ObjectSet(notification.userInfo?[key] as? Set<NSManagedObject> ?? []) }
        inserted = objects(NSInsertedObjectsKey)
        updated = objects(NSUpdatedObjectsKey)
        deleted = objects(NSDeletedObjectsKey)
        refreshed = objects(NSRefreshedObjectsKey)
    }

    /// The sets that are not empty, by their keys.
    var userInfo: [String: Any] {
        var info: [String: Any] = [:]
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted.set }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated.set }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted.set }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed.set }
        return info
    }
}
