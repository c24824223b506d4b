import Foundation

/// The sets of one notification.
///
/// A set of objects costs some 80 ns per object, so each set is built once and shared.
struct ChangeSets {
    var inserted: Set<NSManagedObject> = []
    var updated: Set<NSManagedObject> = []
    var deleted: Set<NSManagedObject> = []
    var refreshed: Set<NSManagedObject> = []

    init() {}

    init(
        inserted: Set<NSManagedObject>, updated: Set<NSManagedObject>, deleted: Set<NSManagedObject>,
        refreshed: Set<NSManagedObject> = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.refreshed = refreshed
    }

    init(_ notification: Notification) {
        func objects(_ key: String) -> Set<NSManagedObject> { notification.userInfo?[key] as? Set<NSManagedObject> ?? [] }
        inserted = objects(NSInsertedObjectsKey)
        updated = objects(NSUpdatedObjectsKey)
        deleted = objects(NSDeletedObjectsKey)
        refreshed = objects(NSRefreshedObjectsKey)
    }

    /// The sets that are not empty, by their keys.
    var userInfo: [String: Any] {
        var info: [String: Any] = [:]
        if !inserted.isEmpty { info[NSInsertedObjectsKey] = inserted }
        if !updated.isEmpty { info[NSUpdatedObjectsKey] = updated }
        if !deleted.isEmpty { info[NSDeletedObjectsKey] = deleted }
        if !refreshed.isEmpty { info[NSRefreshedObjectsKey] = refreshed }
        return info
    }
}
