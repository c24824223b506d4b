import DataModel

/// A context's state for its next save, and for the save under way.
struct SavingState {
    /// Whether a save is under way that has not written everything.
    var isUnderWay = false
    /// The stores chosen for new objects. The objects are held, so that their identities stay theirs.
    private var assignedStores: [ObjectIdentifier: (object: NSManagedObject, store: NSPersistentStore)] = [:]
    /// Objects that the save under way should delete and whose rows were gone already.
    private var vanished: [NSManagedObject] = []

    var hasAssignedStores: Bool { !assignedStores.isEmpty }

    /// The store that was chosen for a new object.
    func store(for object: NSManagedObject) -> NSPersistentStore? { assignedStores[ObjectIdentifier(object)]?.store }

    mutating func assign(_ object: NSManagedObject, to store: NSPersistentStore) {
        assignedStores[ObjectIdentifier(object)] = (object, store)
    }

    mutating func forgetAssignedStores() { assignedStores.removeAll() }

    mutating func noteVanished(_ objects: [NSManagedObject]) { vanished += objects }

    mutating func takeVanished() -> [NSManagedObject] {
        guard !vanished.isEmpty else { return [] }
        defer { vanished = [] }
        return vanished
    }
}
