import Synchronization

/// What a context keeps for merging and for conflicts. Confined to the context's queue, except `newerRows` and `receivers`, which every thread may use.
final class MergingState {
    var policy = NSMergePolicy.error
    /// Unchanged objects whose version the next save has to check.
    var checkedObjects: [NSManagedObject] = []
    /// Destinations that contradict what was changed: the next save has to check their version.
    var doubts: Set<Doubt> = []
    // Unchecked exclusivity: confined to the queue, and nobody is called while these are changed.
    /// Objects whose row was deleted elsewhere and that the save under way writes again.
    @exclusivity(unchecked) var reinsertedObjects: Set<ObjectIdentifier> = []
    /// What was changed when the save under way met its first conflict; nil before that.
    @exclusivity(unchecked) private var changedBeforeConflicts: Set<NSManagedObject>?
    /// Objects that the save under way was to delete and whose rows were gone.
    private var vanished: [NSManagedObject] = []
    /// Objects that the context knows as deleted elsewhere and whose rows it has met in the store since.
    @exclusivity(unchecked) private var returned: Set<NSManagedObject> = []
    /// The stores chosen for new objects.
    @exclusivity(unchecked) var assignedStores: [ObjectIdentifier: (object: NSManagedObject, store: NSPersistentStore)] = [:]
    @exclusivity(unchecked) var stalenessInterval: Double = -1
    /// Whether a fetch is running, whose rows are as fresh as can be.
    @exclusivity(unchecked) var isFetching = false
    /// Whether a save is resolving conflicts with what others saved: then the query generation does not count.
    var readsNewest = false
    var mergesAutomatically = false
    /// Objects that a merge changed in the store only, because they are not loaded: no notification tells of them, but observers and live queries must know.
    private var quiet = QuietlyChanged()
    /// The new objects that observers have been told of.
    var insertions = ToldInsertions()

    /// A partner of a changed object that says something else of their relationship, because one of them was read before others changed it.
    struct Doubt: Hashable {
        let partner: NSManagedObject
        /// Whose change it is. Without unsaved changes of it there is nothing to check.
        let object: NSManagedObject
    }

    /// How often the context heard of newer rows, by a merge or a batch request of its own: what was read before is not to overrule them.
    let newerRows = Atomic<Int>(0)
    /// The children that merge each save of the context.
    let receivers = ContextList()

    /// Notes that the save under way has met a conflict; what is changed from now on is changed by the resolution.
    func noteConflict(_ updated: some Sequence<NSManagedObject>) {
        if changedBeforeConflicts == nil { changedBeforeConflicts = Set(updated.lazy.filter(\.isUpdated)) }
    }

    /// Whether the save under way has met one.
    var hasMetConflict: Bool { changedBeforeConflicts != nil }

    func forgetConflicts() { changedBeforeConflicts = nil }

    /// Whether the overwrite policy writes an object whole. A partner that was merely checked, or an object that only a resolution has changed, holds old values that nobody wants to
    /// have written.
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

    /// Takes out an object that is gone.
    /// - Returns: whether the context has no other reason to tell of it.
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
