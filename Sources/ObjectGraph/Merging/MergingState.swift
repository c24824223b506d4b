/// A context's knowledge of changes of others that contradict its own: what its next save must check, and the conflicts
/// that the save under way has met.
import Synchronization

struct MergingState {
    var policy = NSMergePolicy.error
    /// Unchanged objects whose version the next save must check.
    private(set) var checkedObjects: [NSManagedObject] = []
    /// Destinations that contradict a change. The next save must check their version.
    private(set) var doubts: Set<Doubt> = []
    /// Objects whose row was deleted elsewhere and that the save under way writes again.
    private var reinsertedObjects: Set<ObjectIdentifier> = []
    /// The objects that were changed when the save under way met its first conflict; nil before that.
    private var changedBeforeConflicts: Set<NSManagedObject>?
    /// Objects that were deleted elsewhere, as far as the context knows, but whose rows it has found in the store
    /// since.
    private var returned: Set<NSManagedObject> = []

    /// A partner of a changed object that contradicts it about their relationship, because one of them was read before
    /// others changed it.
    struct Doubt: Hashable {
        let partner: NSManagedObject
        /// The changed object. If it has no unsaved changes, there is nothing to check.
        let object: NSManagedObject
    }

    // MARK: To be checked

    mutating func check(_ object: NSManagedObject) {
        if !isChecked(object) { checkedObjects.append(object) }
    }

    func isChecked(_ object: NSManagedObject) -> Bool { checkedObjects.contains { $0 === object } }

    mutating func doubt(_ partner: NSManagedObject, of object: NSManagedObject) {
        doubts.insert(Doubt(partner: partner, object: object))
    }

    func isDoubted(_ object: NSManagedObject) -> Bool { doubts.contains { $0.partner === object } }

    mutating func forgetDoubts() { doubts.removeAll() }

    // MARK: Conflicts of the save under way

    /// Notes that the save under way has met a conflict. Changes from now on are made by the resolution.
    mutating func noteConflict(_ updated: some Sequence<NSManagedObject>) {
        if changedBeforeConflicts == nil { changedBeforeConflicts = Set(updated.lazy.filter(\.isUpdated)) }
    }

    /// Whether the save under way has met a conflict.
    var hasMetConflict: Bool { changedBeforeConflicts != nil }

    /// Must be called when a save ends, also if it failed.
    mutating func forgetConflicts() {
        changedBeforeConflicts = nil
        reinsertedObjects.removeAll()
    }

    /// Whether the overwrite policy writes an object whole. A partner that was only checked, or an object that only a
    /// resolution has changed, has old values that must not be written.
    func isWrittenWhole(_ object: NSManagedObject) -> Bool {
        if checkedObjects.contains(object) { return true }
        return object.hasChanges && changedBeforeConflicts?.contains(object) != false
    }

    mutating func reinsert(_ object: NSManagedObject) { reinsertedObjects.insert(ObjectIdentifier(object)) }

    mutating func forgetReinsertion(of object: NSManagedObject) { reinsertedObjects.remove(ObjectIdentifier(object)) }

    /// Whether the save under way writes the object's row again, which others have deleted.
    func isReinserted(_ object: NSManagedObject) -> Bool {
        !reinsertedObjects.isEmpty && reinsertedObjects.contains(ObjectIdentifier(object))
    }

    // MARK: Rows that came back

    mutating func noteReturned(_ object: NSManagedObject) { returned.insert(object) }

    var hasReturned: Bool { !returned.isEmpty }

    mutating func takeReturned() -> [NSManagedObject] {
        defer { returned = [] }
        return returned.sorted { $0.key < $1.key }
    }

    /// Drops everything except the policy and the conflicts of a save under way.
    mutating func forgetOthers() {
        returned = []
        checkedObjects.removeAll()
        doubts.removeAll()
        reinsertedObjects.removeAll()
    }
}
