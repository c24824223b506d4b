import Synchronization

/// A context's state for merging and conflicts. Confined to the context's queue, except `newerRows` and `receivers`,
/// which every thread may use.
final class MergingState {
    var policy = NSMergePolicy.error
    /// Unchanged objects whose version the next save must check.
    var checkedObjects: [NSManagedObject] = []
    /// Destinations that contradict a change. The next save must check their version.
    var doubts: Set<Doubt> = []
    // Unchecked exclusivity: confined to the queue, and no other code is called while these are changed.
    /// Objects whose row was deleted elsewhere and that the save under way writes again.
    @exclusivity(unchecked) var reinsertedObjects: Set<ObjectIdentifier> = []
    /// The objects that were changed when the save under way met its first conflict; nil before that.
    @exclusivity(unchecked) private var changedBeforeConflicts: Set<NSManagedObject>?
    /// Objects that the save under way should delete and whose rows were gone already.
    private var vanished: [NSManagedObject] = []
    /// Objects that were deleted elsewhere, as far as the context knows, but whose rows it has found in the store
    /// since.
    @exclusivity(unchecked) private var returned: Set<NSManagedObject> = []
    /// The stores chosen for new objects.
    @exclusivity(unchecked) var assignedStores: [ObjectIdentifier: (object: NSManagedObject, store: NSPersistentStore)] = [:]
    @exclusivity(unchecked) var stalenessInterval: Double = -1
    /// Whether a fetch is running, whose rows are the newest.
    @exclusivity(unchecked) var isFetching = false
    /// Whether a save is resolving conflicts with the saves of others. The query generation does not count then.
    var readsNewest = false
    var mergesAutomatically = false
    /// Objects that a merge changed only in the store, because they are not loaded. No notification has them, but
    /// observers and live queries must be told.
    private var quiet = QuietlyChanged()
    /// The new objects that observers have been told of.
    var insertions = ToldInsertions()

    /// A partner of a changed object that contradicts it about their relationship, because one of them was read before
    /// others changed it.
    struct Doubt: Hashable {
        let partner: NSManagedObject
        /// The changed object. If it has no unsaved changes, there is nothing to check.
        let object: NSManagedObject
    }

    /// How often the context got newer rows, by a merge or a batch request of its own. Rows that were read before must
    /// not replace them.
    let newerRows = Atomic<Int>(0)
    /// The children that merge each save of the context.
    let receivers = ContextList()

    /// Notes that the save under way has met a conflict. Changes from now on are made by the resolution.
    func noteConflict(_ updated: some Sequence<NSManagedObject>) {
        if changedBeforeConflicts == nil { changedBeforeConflicts = Set(updated.lazy.filter(\.isUpdated)) }
    }

    /// Whether the save under way has met a conflict.
    var hasMetConflict: Bool { changedBeforeConflicts != nil }

    func forgetConflicts() { changedBeforeConflicts = nil }

    /// Whether the overwrite policy writes an object whole. A partner that was only checked, or an object that only a
    /// resolution has changed, has old values that must not be written.
    func isWrittenWhole(_ object: NSManagedObject) -> Bool {
        if checkedObjects.contains(object) { return true }
        return object.hasChanges && changedBeforeConflicts?.contains(object) != false
    }

    /// Whether the save under way writes the object's row again, which others have deleted.
    func isReinserted(_ object: NSManagedObject) -> Bool {
        !reinsertedObjects.isEmpty && reinsertedObjects.contains(ObjectIdentifier(object))
    }

    func noteReturned(_ object: NSManagedObject) { returned.insert(object) }

    var hasReturned: Bool { !returned.isEmpty }

    func takeReturned() -> [NSManagedObject] {
        defer { returned = [] }
        return returned.sorted { $0.key < $1.key }
    }

    func noteVanished(_ objects: [NSManagedObject]) { vanished += objects }

    func takeVanished() -> [NSManagedObject] {
        guard !vanished.isEmpty else { return [] }
        defer { vanished = [] }
        return vanished
    }

    func noteNewerRows() { newerRows.add(1, ordering: .releasing) }

    func noteQuietlyChanged(_ object: NSManagedObject, isKnown: Bool) {
        quiet.all.append(object)
        if isKnown { quiet.known.append(object) }
    }

    var hasQuietlyChanged: Bool { !quiet.all.isEmpty }
    var quietlyChanged: ContiguousArray<NSManagedObject> { quiet.all }

    /// Removes an object that is gone.
    /// - Returns: whether the context has no other reason to report it.
    func leaveOut(_ object: NSManagedObject) -> Bool {
        guard let index = quiet.all.firstIndex(where: { $0 === object }) else { return false }
        quiet.all.remove(at: index)
        guard let known = quiet.known.firstIndex(where: { $0 === object }) else { return true }
        quiet.known.remove(at: known)
        return false
    }

    func takeQuietlyChanged() -> QuietlyChanged {
        defer { quiet = QuietlyChanged() }
        return quiet
    }

    func removeAll() {
        quiet = QuietlyChanged()
        returned = []
        checkedObjects.removeAll()
        doubts.removeAll()
        reinsertedObjects.removeAll()
        assignedStores.removeAll()
    }
}
