public import Foundation

extension Notification.Name {
    /// Posted by a context when it processes pending changes; synchronously, on the context's queue.
    ///
    /// `userInfo` has sets of objects under `NSInsertedObjectsKey`, `NSUpdatedObjectsKey`, `NSDeletedObjectsKey` and
    /// `NSRefreshedObjectsKey`, each only if it is not empty; when a store is removed a set of its objects under
    /// `NSInvalidatedObjectsKey`; after `reset()` an array of IDs under `NSInvalidatedAllObjectsKey`.
    ///
    /// It is posted once the program has read this name. Observers of all notifications get it only from then on. The
    /// message ``NSManagedObjectContext/ObjectsDidChangeMessage`` is always posted.
    public static var NSManagedObjectContextObjectsDidChange: Notification.Name {
        NotificationInterest.objectsDidChange.nameForObservers
    }

    /// Posted by a context before it saves. Changes made by an observer are part of the save.
    public static let NSManagedObjectContextWillSave = Notification.Name("NSManagingContextWillSaveChangesNotification")

    /// Posted by a context after a save, with sets of the objects saved under `NSInsertedObjectsKey`,
    /// `NSUpdatedObjectsKey` and `NSDeletedObjectsKey`, and, if the context reads from a query generation, a token
    /// under ``NSManagedObjectContextQueryGenerationKey``.
    ///
    /// It is posted once the program has read this name. Observers of all notifications get it only from then on. The
    /// message ``NSManagedObjectContext/DidSaveMessage`` is always posted.
    public static var NSManagedObjectContextDidSave: Notification.Name { NotificationInterest.didSave.nameForObservers }

    /// Posted by a context after a save, with sets of the objects' IDs; see ``NSManagedObjectContext/NotificationKey``.
    ///
    /// It is posted once the program has read this name. Observers of all notifications get it only from then on. The
    /// messages ``NSManagedObjectContext/DidSaveObjectIDsMessage`` and
    /// ``NSManagedObjectContext/DidSaveObjectIDsAsyncMessage`` are always posted.
    public static var NSManagedObjectContextDidSaveObjectIDs: Notification.Name {
        NotificationInterest.didSaveObjectIDs.nameForObservers
    }

    /// Posted by a context after it has merged changes from elsewhere, with sets of IDs; see
    /// ``NSManagedObjectContext/NotificationKey``: the objects that were inserted, updated and deleted there, and those
    /// of this context that were refreshed for it.
    public static let NSManagedObjectContextDidMergeChangesObjectIDs = Notification.Name(
        "NSManagedObjectContextDidMergeChangesObjectIDsNotification")

    /// Posted by a coordinator after stores were added (`NSAddedPersistentStoresKey`), removed
    /// (`NSRemovedPersistentStoresKey`) or copied to another place (``NSUUIDChangedPersistentStoresKey``).
    public static let NSPersistentStoreCoordinatorStoresDidChange = Notification.Name(
        "NSPersistentStoreCoordinatorStoresDidChange")

    /// Never posted. Apple's framework does not post it either, since it no longer syncs with iCloud documents.
    /// ``NSPersistentStoreCoordinatorStoresDidChange`` and ``NSPersistentStoreCoordinatorWillRemoveStore`` report added
    /// and removed stores. The name exists so that code which observes it compiles.
    public static let NSPersistentStoreCoordinatorStoresWillChange = Notification.Name(
        "NSPersistentStoreCoordinatorStoresWillChange")

    /// Posted before a store is removed; its object is the store.
    public static let NSPersistentStoreCoordinatorWillRemoveStore = Notification.Name(
        "NSPersistentStoreCoordinatorWillRemoveStore")

    /// Posted by a coordinator after something was written to one of its stores that was added with
    /// ``NSPersistentStoreRemoteChangeNotificationPostOptionKey``: by its own contexts and batch requests, by another
    /// coordinator, or by another process.
    ///
    /// It comes on a background thread, after the transaction is committed; one notification may stand for several
    /// writes in a row. Writes of another process are noticed within about a second, for SQLite files only. `userInfo`
    /// has the store's UUID, a `String`, under `NSStoreUUIDKey`, the store's URL under `NSPersistentStoreURLKey`, unless
    /// it has none, and, if the store keeps a history, the place after the write under ``NSPersistentHistoryTokenKey``.
    public static let NSPersistentStoreRemoteChange = Notification.Name("NSPersistentStoreRemoteChangeNotification")
}

/// The key of new objects in a notification: a `Set<NSManagedObject>`.
public let NSInsertedObjectsKey = "inserted"
/// The key of changed objects in a notification: a `Set<NSManagedObject>`.
public let NSUpdatedObjectsKey = "updated"
/// The key of deleted objects in a notification: a `Set<NSManagedObject>`.
public let NSDeletedObjectsKey = "deleted"
/// The key of refreshed objects in a notification: a `Set<NSManagedObject>`.
public let NSRefreshedObjectsKey = "refreshed"
/// The key of objects whose store was removed from the coordinator: a `Set<NSManagedObject>`.
public let NSInvalidatedObjectsKey = "invalidated"
/// The key, after a reset, of the IDs of all objects the context had known: an array.
public let NSInvalidatedAllObjectsKey = "invalidatedAll"
/// The key of added stores in a coordinator's notification: an array.
public let NSAddedPersistentStoresKey = "added"
/// The key of removed stores in a coordinator's notification: an array.
public let NSRemovedPersistentStoresKey = "removed"
/// The key, after a store was copied to another place, of an array: the old store, the new one, and an array with each
/// object's old and new ID in turn.
public let NSUUIDChangedPersistentStoresKey = "changed"
/// The key of the store's URL in `NSPersistentStoreRemoteChange`: a `URL`.
public let NSPersistentStoreURLKey = "storeURL"
/// The key of the place in the history in `NSPersistentStoreRemoteChange`: an ``NSPersistentHistoryToken``.
public let NSPersistentHistoryTokenKey = "historyToken"

extension NSManagedObjectContext {
    /// The same as `NSManagedObjectContextObjectsDidChange`.
    public static var didChangeObjectsNotification: Notification.Name { .NSManagedObjectContextObjectsDidChange }
    /// The same as `NSManagedObjectContextWillSave`.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// The same as `NSManagedObjectContextDidSave`.
    public static var didSaveObjectsNotification: Notification.Name { .NSManagedObjectContextDidSave }
    /// The same as `NSManagedObjectContextDidSaveObjectIDs`.
    public static var didSaveObjectIDsNotification: Notification.Name { .NSManagedObjectContextDidSaveObjectIDs }

    /// The same as `NSManagedObjectContextDidMergeChangesObjectIDs`.
    public static let didMergeChangesObjectIDsNotification = Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys in a context's notifications.
    public enum NotificationKey: String, Sendable {
        /// Reserved: the context that a notification is about is its `object`. Apple's framework keeps a private object
        /// under this key. Here the key is not used.
        case sourceContext = "managedObjectContext"
        /// The ``NSQueryGenerationToken`` that a context reads from; the same as ``NSManagedObjectContextQueryGenerationKey``.
        case queryGeneration = "NSManagedObjectContextQueryGenerationKey"
        /// An array of IDs.
        case invalidatedAllObjects = "invalidatedAll"
        /// A `Set<NSManagedObject>`.
        case insertedObjects = "inserted"
        /// A `Set<NSManagedObject>`.
        case updatedObjects = "updated"
        /// A `Set<NSManagedObject>`.
        case deletedObjects = "deleted"
        /// A `Set<NSManagedObject>`.
        case refreshedObjects = "refreshed"
        /// A `Set<NSManagedObject>`.
        case invalidatedObjects = "invalidated"
        /// A `Set<NSManagedObjectID>`.
        case insertedObjectIDs = "inserted_objectIDs"
        /// A `Set<NSManagedObjectID>`.
        case updatedObjectIDs = "updated_objectIDs"
        /// A `Set<NSManagedObjectID>`.
        case deletedObjectIDs = "deleted_objectIDs"
        /// A `Set<NSManagedObjectID>`.
        case refreshedObjectIDs = "refreshed_objectIDs"
        /// A `Set<NSManagedObjectID>`.
        case invalidatedObjectIDs = "invalidated_objectIDs"
    }
}
