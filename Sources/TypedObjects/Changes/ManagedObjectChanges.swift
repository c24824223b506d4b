import Foundation
import ObjectGraph

/// What changed among the objects of one class, between two rounds of a context's change processing.
///
/// Objects of subclasses count as objects of the class. An object is in one of the sets at most: what is new in this round is not also updated.
/// Kinds of changes that were not asked for are empty.
///
/// The value may be passed to any thread or task; its objects may be taken out of it on the context's queue only: on the main thread for a
/// main-queue context, else inside `perform`. Taking them out elsewhere stops the program.
public struct ManagedObjectChanges<Object: NSManagedObject>: Sendable {
    private let storage: ManagedObjectChangeStorage<Object>
    private let kinds: Notification.ChangedType

    init(storage: ManagedObjectChangeStorage<Object>, kinds: Notification.ChangedType) {
        self.storage = storage
        self.kinds = kinds
    }

    /// What brought changes about.
    public enum Origin: Sendable {
        /// The context's own objects were changed, or a child context was saved.
        case local
        /// A change was undone or redone.
        case undo
        /// Changes that another context, coordinator or process saved were merged. Unsaved changes of the context's own may be among them.
        case merge
    }

    /// What brought the changes about. May be read on every thread.
    public var origin: Origin { storage.origin }

    /// Objects that were inserted.
    public var inserted: Set<Object> { kinds.contains(.inserted) ? storage.set(.inserted) : [] }
    /// Objects with changed properties: set ones, relationships that changed because the other side did, and objects that were loaded and got new values by
    /// a merge.
    public var updated: Set<Object> { kinds.contains(.updated) ? storage.set(.updated) : [] }
    /// Objects that were deleted. Their values can be read as long as the deletion is not saved.
    public var deleted: Set<Object> { kinds.contains(.deleted) ? storage.set(.deleted) : [] }

    /// The inserted objects, by entity in the order in which they were inserted; costs less than the set.
    package var insertedObjects: [Object] { kinds.contains(.inserted) ? storage.objects(.inserted) : [] }
    /// The updated objects, by entity in the order of their first change; costs less than the set.
    package var updatedObjects: [Object] { kinds.contains(.updated) ? storage.objects(.updated) : [] }
    /// The deleted objects, by entity in the order in which they were deleted; costs less than the set.
    package var deletedObjects: [Object] { kinds.contains(.deleted) ? storage.objects(.deleted) : [] }

    /// The numbers of inserted, updated and deleted objects. May be read on every thread.
    public var counts: (inserted: Int, updated: Int, deleted: Int) {
        (
            kinds.contains(.inserted) ? storage.count(.inserted) : 0, kinds.contains(.updated) ? storage.count(.updated) : 0,
            kinds.contains(.deleted) ? storage.count(.deleted) : 0
        )
    }
}
