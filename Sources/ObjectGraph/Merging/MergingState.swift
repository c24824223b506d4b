/// What a context keeps for merging and for conflicts. Confined to the context's queue, except `receivers`, which locks itself.
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
    /// Whether changes from elsewhere are being taken over.
    var isMerging = false
    /// Objects that a merge changed in the store only, because they are not loaded: no notification tells of them, but live queries must know.
    private(set) var quietlyChanged: ContiguousArray<NSManagedObject> = []
    /// The children that merge each save of the context.
    let receivers = ContextList()

    func noteQuietlyChanged(_ object: NSManagedObject) { quietlyChanged.append(object) }

    func takeQuietlyChanged() -> ContiguousArray<NSManagedObject> {
        defer { quietlyChanged = [] }
        return quietlyChanged
    }

    func removeAll() {
        quietlyChanged.removeAll()
        checkedObjects.removeAll()
        reinsertedObjects.removeAll()
        assignedStores.removeAll()
    }
}
