public import Foundation

/// What a context saves in one store: an ``NSIncrementalStore`` gets it.
///
/// A request belongs to one thread at a time.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The new objects, which have permanent IDs.
    public final let insertedObjects: Set<NSManagedObject>?
    /// The objects whose values or relationships have changed.
    public final let updatedObjects: Set<NSManagedObject>?
    /// The objects to be deleted.
    public final let deletedObjects: Set<NSManagedObject>?
    /// Objects without changes whose versions must be what they were; see
    /// ``NSManagedObjectContext/detectConflicts(for:)``. Nil if there are none.
    public final let lockedObjects: Set<NSManagedObject>?

    /// Makes a request.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    /// Always a save.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// A request that asks the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects)
        copy.affectedStores = affectedStores
        return copy
    }
}
