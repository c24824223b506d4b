import Synchronization

/// What a context keeps for merging and for conflicts. Confined to the context's queue, except `newerRows` and `receivers`, which every thread may use.
final class MergingState {
    var policy = NSMergePolicy.error
    /// Unchanged objects whose version the next save has to check.
    var checkedObjects: [NSManagedObject] = []
    /// Objects whose row was deleted elsewhere and that the save under way writes again.
    var reinsertedObjects: Set<ObjectIdentifier> = []
    /// The stores chosen for new objects.
    var assignedStores: [ObjectIdentifier: (object: NSManagedObject, store: NSPersistentStore)] = [:]
    var stalenessInterval: Double = -1
    /// Whether a fetch is running, whose rows are as fresh as can be.
    var isFetching = false
    /// Whether a save is resolving conflicts with what others saved: then the query generation does not count.
    var readsNewest = false
    var mergesAutomatically = false
    /// Where changes come from that are being taken over from elsewhere, and who made them.
    private(set) var origin: _ChangeOrigin?
    private(set) var author: String?
    /// Objects that a merge changed in the store only, because they are not loaded: no notification tells of them, but live queries must know.
    private var quietlyChanged = QuietlyChanged()

    struct QuietlyChanged {
        var all: ContiguousArray<NSManagedObject> = []
        /// Those of them that the context knew before: observers hear of these.
        var known: ContiguousArray<NSManagedObject> = []
    }
    /// How often the context heard of newer rows, by a merge or a batch request of its own: what was read before is not to overrule them.
    let newerRows = Atomic<Int>(0)
    /// The children that merge each save of the context.
    let receivers = ContextList()

    /// Runs `body`, whose changes come from elsewhere.
    func taking(_ origin: _ChangeOrigin, by author: String?, _ body: () throws -> Void) rethrows {
        let outer = (self.origin, self.author)
        (self.origin, self.author) = (origin, author)
        defer { (self.origin, self.author) = outer }
        try body()
    }

    func noteNewerRows() { newerRows.add(1, ordering: .releasing) }

    func noteQuietlyChanged(_ object: NSManagedObject, isKnown: Bool) {
        quietlyChanged.all.append(object)
        if isKnown { quietlyChanged.known.append(object) }
    }

    func takeQuietlyChanged() -> QuietlyChanged {
        defer { quietlyChanged = QuietlyChanged() }
        return quietlyChanged
    }

    func removeAll() {
        quietlyChanged = QuietlyChanged()
        checkedObjects.removeAll()
        reinsertedObjects.removeAll()
        assignedStores.removeAll()
    }
}
