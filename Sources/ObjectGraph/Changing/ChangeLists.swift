/// The objects of a context that have unsaved changes, and the objects that changed in the present event.
///
/// The bits of an object's state show whether its entry counts. An undone change clears a bit and leaves the entry
/// where it is, because searching for entries would make undoing many changes quadratic. So check the objects of a
/// list: `isPendingInsert`, `isUpdated`, `isDeleted`, or the state bit of the event. `GraphChecker` says which bits and
/// entries go together.
///
/// Only the methods of this file add and remove entries. They call no other code, so a list can't change while it is
/// being changed.
struct ChangeLists {
    typealias List = ContiguousArray<NSManagedObject>

    // MARK: Since the last save

    /// New objects. An entry counts if the object is `isPendingInsert`.
    private(set) var inserted: List = []
    /// Objects that were saved before and changed. An entry counts if the object is `isUpdated`.
    private(set) var updated: List = []
    /// Objects that were saved before and that the next save deletes. An entry counts if the object is `isDeleted`.
    private(set) var deleted: List = []
    /// The number of entries of these lists that were made stale one by one; see `noteStaleEntry()`.
    private var staleEntries = 0

    // MARK: Since the last processing of pending changes

    private(set) var eventInserted: List = []
    private(set) var eventUpdated: List = []
    private(set) var eventDeleted: List = []
    private(set) var eventRefreshed: List = []
    /// The number of deleted objects whose delete rules were applied before the event was processed.
    private(set) var propagatedDeletions = 0
    /// Objects of earlier events whose delete rules wait for the save, or could not be applied.
    private(set) var unpropagated: List = []
    /// The sets of the last ObjectsDidChange, kept for the save that often follows with the same objects.
    private var lastEventSets = ChangeSets()

    // MARK: Asking

    /// Whether anything is unsaved.
    var hasUnsaved: Bool {
        inserted.contains { $0.isPendingInsert } || updated.contains { $0.isUpdated } || deleted.contains { $0.isDeleted }
    }

    /// Whether a save has any object to check.
    var areEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Whether there are changes that observers were not told of.
    var hasEvent: Bool { !(eventInserted.isEmpty && eventUpdated.isEmpty && eventDeleted.isEmpty && eventRefreshed.isEmpty) }

    /// The sets for the notifications of a save. The sets of the last processing are used if they are the same.
    var savedSets: ChangeSets {
        var sets = ChangeSets()
        sets.inserted = lastEventSets.inserted.shared(with: inserted)
        sets.updated = lastEventSets.updated.shared(with: updated)
        sets.deleted = lastEventSets.deleted.shared(with: deleted)
        return sets
    }

    // MARK: Adding

    /// Adds a new object.
    ///
    /// - Parameter extra: Further bits of its state from now on.
    mutating func insert(_ object: NSManagedObject, _ extra: ObjectState) {
        object._state.formUnion(extra.union([.inserted, .eventInserted]))
        inserted.append(object)
        eventInserted.append(object)
    }

    /// Notes that an object was inserted, or came back, in this event.
    mutating func addToEvent(inserted object: NSManagedObject) {
        guard !object._state.contains(.eventInserted) else { return }
        object._state.insert(.eventInserted)
        eventInserted.append(object)
    }

    /// Adds a changed object that is neither deleted nor new.
    @inline(__always) mutating func update(_ object: NSManagedObject) {
        guard object._state.isDisjoint(with: [.inserted, .updated]) else { return }
        object._state.insert(.updated)
        updated.list(object, .inUpdatedList)
    }

    /// Notes that an object changed in this event.
    @inline(__always) mutating func addToEvent(updated object: NSManagedObject) {
        object._state.insert(.eventUpdated)
        eventUpdated.list(object, .inEventUpdated)
    }

    /// Adds an object that will be deleted.
    ///
    /// - Parameter state: The bits for the deletion and its kind.
    mutating func delete(_ object: NSManagedObject, as state: ObjectState = .deleted) {
        object._state.remove(.writable)
        if !object._state.contains(.inserted) { deleted.list(object, .inDeletedList) }
        addToEvent(deleted: object, as: state)
    }

    /// Notes that an object was deleted in this event, although no save must delete it.
    mutating func addToEvent(deleted object: NSManagedObject, as state: ObjectState) {
        object._state.formUnion(state.union(.eventDeleted))
        eventDeleted.list(object, .inEventDeleted)
    }

    /// Notes that an object was read again in this event.
    mutating func addToEvent(refreshed object: NSManagedObject) {
        guard !object._state.contains(.eventRefreshed) else { return }
        object._state.insert(.eventRefreshed)
        eventRefreshed.append(object)
    }

    // MARK: Entries that no longer count

    // These functions return the objects that they drop, because the last reference to an object may be released, and
    // its `deinit` is the program's code.

    /// Must be called when an entry has become stale. The lists are searched now and then, so stale entries must not
    /// fill them.
    @discardableResult mutating func noteStaleEntry() -> List {
        staleEntries += 1
        return staleEntries > 64 ? letGoOfStaleEntries() : []
    }

    /// The lists hold their objects, and stale entries should not do so for long. A few stale entries among many others
    /// may stay until the save: looking at all entries for each of them would be quadratic.
    @discardableResult mutating func letGoOfStaleEntries() -> List {
        guard staleEntries > 0, staleEntries * 8 >= updated.count + deleted.count else { return [] }
        return compact()
    }

    /// Drops all entries of unsaved changes that no longer count.
    @discardableResult mutating func compact() -> List {
        staleEntries = 0
        // A deleted object that comes back must be listed again, so its `updated` is cleared, too.
        var dropped = updated.removeStale([.inUpdatedList, .updated]) { !$0.isUpdated }
        dropped += inserted.removeStale([]) { !$0.isPendingInsert }
        dropped += deleted.removeStale(.inDeletedList) { !$0.isDeleted }
        return dropped
    }

    /// Drops new objects that were deleted again.
    ///
    /// - Parameter count: The least number of such entries, as in the following functions.
    @discardableResult mutating func dropVanished(_ count: Int) -> List {
        inserted.removeStale(count) { $0._state.contains(.deleted) }
    }

    /// Drops changed objects that have their former values again.
    @discardableResult mutating func dropUnchanged(_ count: Int) -> List {
        updated.removeStale(count, .inUpdatedList) { !$0._state.contains(.updated) }
    }

    /// Drops objects whose deletion was undone.
    @discardableResult mutating func dropRestored(_ count: Int) -> List {
        deleted.removeStale(count, .inDeletedList) { !$0.isDeleted }
    }

    /// Drops objects from the event that were not inserted after all: their bit is cleared.
    @discardableResult mutating func dropUninserted() -> List {
        eventInserted.removeStale([]) { !$0._state.contains(.eventInserted) }
    }

    // MARK: Delete rules

    /// Whether objects were deleted whose delete rules have not been applied in this event.
    var hasNewDeletions: Bool { eventDeleted.count > propagatedDeletions }

    /// Notes that the delete rules of all objects deleted so far were applied.
    mutating func notePropagation() { propagatedDeletions = eventDeleted.count }

    /// Notes that a deletion was undone. Relationships that it has cleared may be set again, so the rules are applied
    /// to all objects once more.
    mutating func forgetPropagation() { propagatedDeletions = 0 }

    /// Leaves the delete rules of this event's objects to the save.
    mutating func postponePropagation() { unpropagated += eventDeleted }

    /// Leaves the delete rules of an object to the next processing.
    mutating func postponePropagation(of object: NSManagedObject) { unpropagated.append(object) }

    /// - Returns: the objects of earlier events whose delete rules wait.
    mutating func takeUnpropagated() -> List {
        defer { unpropagated = [] }
        return unpropagated
    }

    // MARK: Handing over

    /// Ends this event and begins the next one.
    ///
    /// - Returns: the lists of the event that ended. The state bits of the event stay until `EventLists.clearBits()`.
    mutating func takeEvent() -> EventLists {
        defer { (eventInserted, eventUpdated, eventDeleted, eventRefreshed, propagatedDeletions) = ([], [], [], [], 0) }
        return EventLists(inserted: eventInserted, updated: eventUpdated, deleted: eventDeleted, refreshed: eventRefreshed)
    }

    /// Empties the lists of inserted, changed and deleted objects of this event, and clears its bits. Objects that were
    /// read again stay.
    ///
    /// - Returns: all entries of the lists, even those that don't count.
    @discardableResult mutating func takeChangesOfEvent() -> _ChangeBuckets.Objects {
        let taken = _ChangeBuckets.Objects(inserted: eventInserted, updated: eventUpdated, deleted: eventDeleted)
        (eventInserted, eventUpdated, eventDeleted, propagatedDeletions) = ([], [], [], 0)
        for list in [taken.inserted, taken.updated, taken.deleted] {
            for object in list { object._state.subtract(ObjectState.eventMask) }
        }
        return taken
    }

    /// Empties the lists of unsaved changes. The bits for entries are cleared, and the bits for an object's state stay.
    ///
    /// - Returns: all entries of the lists, even those that don't count.
    mutating func takeUnsaved() -> _ChangeBuckets.Objects {
        let taken = _ChangeBuckets.Objects(inserted: inserted, updated: updated, deleted: deleted)
        updated.forEachUnretained { $0._state.remove(.inUpdatedList) }
        deleted.forEachUnretained { $0._state.remove(.inDeletedList) }
        (inserted, updated, deleted) = ([], [], [])
        staleEntries = 0
        forgetSets()
        return taken
    }

    /// Keeps the sets of an ObjectsDidChange for the save.
    ///
    /// No object without unsaved changes may be kept: the context must not hold such objects.
    mutating func keepSets(_ sets: ChangeSets) {
        lastEventSets = sets
        lastEventSets.refreshed = ObjectSet()
        let reported = sets.deleted.list
        var isForSave = reported.count == deleted.count
        if isForSave { reported.forEachUnretained { if !$0.isDeleted { isForSave = false } } }
        if !isForSave { lastEventSets.deleted = ObjectSet() }
    }

    /// Releases these sets, because some of their objects no longer have unsaved changes.
    mutating func forgetSets() { lastEventSets = ChangeSets() }
}

extension ContiguousArray<NSManagedObject> {
    /// Adds an object, unless its entry is still there from an earlier change. That entry counts again.
    ///
    /// - Parameter listed: The bit that says that the object has an entry.
    fileprivate mutating func list(_ object: NSManagedObject, _ listed: ObjectState) {
        guard !object._state.contains(listed) else { return }
        object._state.insert(listed)
        append(object)
    }

    /// Removes entries that no longer count. Undo works backwards, so they are usually the last ones.
    ///
    /// - Parameter count: The least number of such entries.
    /// - Returns: the objects of the entries.
    fileprivate mutating func removeStale(_ count: Int, _ listed: ObjectState = [], _ isStale: (NSManagedObject) -> Bool) -> Self
    {
        var removed: Self = []
        while removed.count < count, let last = last, isStale(last) {
            last._state.subtract(listed)
            removed.append(removeLast())
        }
        return removed.count < count ? removed + removeStale(listed, isStale) : removed
    }

    /// Removes all entries that no longer count.
    fileprivate mutating func removeStale(_ listed: ObjectState, _ isStale: (NSManagedObject) -> Bool) -> Self {
        guard contains(where: isStale) else { return [] }
        let removed = Self(lazy.filter(isStale))
        removeAll(where: isStale)
        for object in removed { object._state.subtract(listed) }
        return removed
    }
}
