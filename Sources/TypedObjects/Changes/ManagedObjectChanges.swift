import ObjectGraph

/// What changed among the objects of one class, between two rounds of a context's change processing.
///
/// Objects of subclasses count as objects of the class. An object is in one of the sets at most: what is new in this round is not also updated.
///
/// The value may be passed to any thread or task; its objects may be taken out of it on the context's queue only: on the main thread for a
/// main-queue context, else inside `perform`. Taking them out elsewhere stops the program.
public struct ManagedObjectChanges<Object: NSManagedObject>: @unchecked Sendable {
    // @unchecked Sendable: see `ManagedObjectChangeStorage`.
    private let storage: ManagedObjectChangeStorage<Object>

    package init(inserted: [Object], updated: [Object], deleted: [Object], in context: NSManagedObjectContext) {
        storage = ManagedObjectChangeStorage([inserted, updated, deleted], in: context)
    }

    /// Objects that were inserted.
    public var inserted: Set<Object> { storage.set(.inserted) }
    /// Objects with changed properties: set ones, and relationships that changed because the other side did.
    public var updated: Set<Object> { storage.set(.updated) }
    /// Objects that were deleted. Their values can be read as long as the deletion is not saved.
    public var deleted: Set<Object> { storage.set(.deleted) }

    /// The inserted objects in the order in which they were inserted; costs less than the set.
    package var insertedObjects: [Object] { storage.objects(.inserted) }
    /// The updated objects in the order of their first change; costs less than the set.
    package var updatedObjects: [Object] { storage.objects(.updated) }
    /// The deleted objects in the order in which they were deleted; costs less than the set.
    package var deletedObjects: [Object] { storage.objects(.deleted) }

    /// The numbers of inserted, updated and deleted objects. May be read on every thread.
    public var counts: (inserted: Int, updated: Int, deleted: Int) { storage.counts }
}
