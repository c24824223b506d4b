import ObjectGraph

/// What changed among the objects of one class, between two rounds of a context's change processing.
///
/// Objects of subclasses count as objects of the class. An object is in one of the sets at most: what is new in this round is not also updated.
///
/// The value may be passed to any thread or task; its objects may be taken out of it on the context's queue only: on the main thread for a
/// main-queue context, else inside `perform`. Taking them out elsewhere stops the program.
// @unchecked Sendable: the storage is reached by three properties, each of which first makes sure that it runs on the context's queue. So
// the objects in it, and the sets that are made on first use, are only touched there. Letting go of objects is allowed on every thread.
public struct ManagedObjectChanges<Object: NSManagedObject>: @unchecked Sendable {
    private let storage: ManagedObjectChangeStorage<Object>

    package init(inserted: [Object], updated: [Object], deleted: [Object], in context: NSManagedObjectContext) {
        storage = ManagedObjectChangeStorage(inserted: inserted, updated: updated, deleted: deleted, in: context)
    }

    /// Objects that were inserted.
    public var inserted: Set<Object> { confined.inserted.set }
    /// Objects with changed properties: set ones, and relationships that changed because the other side did.
    public var updated: Set<Object> { confined.updated.set }
    /// Objects that were deleted. Their values can be read as long as the deletion is not saved.
    public var deleted: Set<Object> { confined.deleted.set }

    /// The inserted objects in the order in which they were inserted; costs less than the set.
    package var insertedObjects: [Object] { confined.inserted.objects }
    /// The updated objects in the order of their first change; costs less than the set.
    package var updatedObjects: [Object] { confined.updated.objects }
    /// The deleted objects in the order in which they were deleted; costs less than the set.
    package var deletedObjects: [Object] { confined.deleted.objects }

    /// The numbers of inserted, updated and deleted objects. May be read on every thread.
    public var counts: (inserted: Int, updated: Int, deleted: Int) { storage.counts }

    private var confined: ManagedObjectChangeStorage<Object> {
        storage.assertOnQueue()
        return storage
    }
}

/// The objects of a `ManagedObjectChanges` value, shared by its copies.
final class ManagedObjectChangeStorage<Object: NSManagedObject> {
    var inserted: LazySet<Object>
    var updated: LazySet<Object>
    var deleted: LazySet<Object>
    let counts: (inserted: Int, updated: Int, deleted: Int)
    /// Weak, so that changes that wait for a reader don't keep the context.
    private weak let context: NSManagedObjectContext?

    init(inserted: [Object], updated: [Object], deleted: [Object], in context: NSManagedObjectContext) {
        self.inserted = LazySet(inserted)
        self.updated = LazySet(updated)
        self.deleted = LazySet(deleted)
        counts = (inserted.count, updated.count, deleted.count)
        self.context = context
    }

    func assertOnQueue() {
        guard let context, !context.isOnQueue else { return }
        fatalError(
            "The objects of ManagedObjectChanges<\(Object.self)> belong to the queue of \(context.name ?? "their context"): "
                + "use them there, for one inside context.perform { }")
    }
}

/// Objects as an array, and as a set from the first use on.
struct LazySet<Object: NSManagedObject> {
    let objects: [Object]
    private(set) lazy var set = Set(objects)

    init(_ objects: [Object]) {
        self.objects = objects
    }
}
