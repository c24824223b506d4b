import DataModel
import Foundation
import Storage

/// The changes of a save elsewhere, as IDs.
struct ForeignChanges: Sendable {
    let inserted: [NSManagedObjectID]
    let updated: [NSManagedObjectID]
    let deleted: [NSManagedObjectID]

    /// The author of the changes, if it is known.
    let author: String?
    /// Further facts about the save, if they are known.
    let notice: SaveNotice?

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    init(
        inserted: [NSManagedObjectID], updated: [NSManagedObjectID], deleted: [NSManagedObjectID], author: String?,
        notice: SaveNotice? = nil
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.author = author
        self.notice = notice
    }

    /// - Parameters:
    ///   - info: Objects, IDs or URLs by the keys of a context's notifications.
    ///   - coordinator: The coordinator that finds IDs for the URLs.
    ///   - context: The context that saved, if it is known.
    init(
        _ info: [AnyHashable: Any], _ coordinator: NSPersistentStoreCoordinator?, savedBy context: NSManagedObjectContext? = nil
    ) {
        notice = context?.shared.saveNotices.notice(of: info)
        author = notice.map(\.author) ?? context?.transactionAuthor
        func ids(_ keys: [NSManagedObjectContext.NotificationKey]) -> [NSManagedObjectID] {
            keys.flatMap { key in info[key.rawValue].map { Self.ids($0, coordinator) } ?? [] }
        }
        inserted = ids([.insertedObjects, .insertedObjectIDs])
        updated = ids([
            .updatedObjects, .updatedObjectIDs, .refreshedObjects, .refreshedObjectIDs, .invalidatedObjects,
            .invalidatedObjectIDs,
        ])
        deleted = ids([.deletedObjects, .deletedObjectIDs])
    }

    private static func ids(_ value: Any, _ coordinator: NSPersistentStoreCoordinator?) -> [NSManagedObjectID] {
        switch value {
        case let objects as Set<NSManagedObject>: return objects.map(\.idForOtherThreads)
        case let ids as Set<NSManagedObjectID>: return Array(ids)
        case let ids as [NSManagedObjectID]: return ids
        case let set as NSSet: return set.allObjects.compactMap { id($0, coordinator) }
        case let set as any Collection: return set.compactMap { id($0, coordinator) }
        default: return []
        }
    }

    private static func id(_ value: Any, _ coordinator: NSPersistentStoreCoordinator?) -> NSManagedObjectID? {
        switch value {
        case let id as NSManagedObjectID: id
        case let object as NSManagedObject: object.idForOtherThreads
        case let url as URL: coordinator?.managedObjectID(forURIRepresentation: url)
        case let url as NSURL: coordinator?.managedObjectID(forURIRepresentation: url as URL)
        default: nil
        }
    }
}

extension NSManagedObject {
    /// The ID of a saved object of a context on another queue. `objectID` would keep it in the object.
    fileprivate final var idForOtherThreads: NSManagedObjectID {
        NSManagedObjectID(runtime: registry.runtime, entityIndex: layout.index, key: key, store: registry.store)
    }
}
