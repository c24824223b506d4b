/// Objects that a merge changed only in the store, because they are not loaded.
struct QuietlyChanged {
    private(set) var all: ContiguousArray<NSManagedObject> = []
    /// The objects among them that the context knew before. Observers are told of these.
    private(set) var known: ContiguousArray<NSManagedObject> = []

    mutating func add(_ object: NSManagedObject, isKnown: Bool) {
        all.append(object)
        if isKnown { known.append(object) }
    }

    /// Removes an object that is gone.
    ///
    /// - Returns: whether the context has no other reason to report it.
    mutating func leaveOut(_ object: NSManagedObject) -> Bool {
        guard let index = all.firstIndex(where: { $0 === object }) else { return false }
        all.remove(at: index)
        guard let known = known.firstIndex(where: { $0 === object }) else { return true }
        self.known.remove(at: known)
        return false
    }
}
