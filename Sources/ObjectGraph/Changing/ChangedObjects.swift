/// The context's lists of changed objects. The bits of an object's state tell whether its entry counts: what is taken back one by one clears a bit and
/// leaves the entry where it is, for looking entries up would make taking back many changes quadratic.
extension ContiguousArray<NSManagedObject> {
    /// Adds an object, unless its entry is still there from an earlier change: then that one counts again.
    ///
    /// - Parameter listed: The bit that says that the object has an entry.
    mutating func list(_ object: NSManagedObject, _ listed: ObjectState) {
        guard !object._state.contains(listed) else { return }
        object._state.insert(listed)
        append(object)
    }

    /// Removes entries that no longer count. Undo works backwards, so they are usually the last ones.
    ///
    /// - Parameter count: How many there are at least.
    mutating func removeStale(_ count: Int, _ listed: ObjectState = [], _ isStale: (NSManagedObject) -> Bool) {
        var rest = count
        while rest > 0, let last = last, isStale(last) {
            last._state.subtract(listed)
            removeLast()
            rest -= 1
        }
        if rest > 0 { removeStale(listed, isStale) }
    }

    /// Removes all entries that no longer count.
    mutating func removeStale(_ listed: ObjectState, _ isStale: (NSManagedObject) -> Bool) {
        guard contains(where: isStale) else { return }
        removeAll { object in
            guard isStale(object) else { return false }
            object._state.subtract(listed)
            return true
        }
    }
}

extension NSManagedObjectContext {
    /// The objects inserted and changed since the last processing of pending changes: nobody was told of them yet.
    package final var untoldObjects: ContiguousArray<NSManagedObject> { eventInserted + eventUpdated }

    /// Drops all entries that no longer count.
    final func compactLists() {
        insertedList.removeStale([]) { !$0.isPendingInsert }
        // A deleted object that comes back has to be listed again, therefore its `updated` goes, too.
        updatedList.removeStale([.inUpdatedList, .updated]) { !$0.isUpdated }
        deletedList.removeStale(.inDeletedList) { !$0.isDeleted }
        staleEntries = 0
    }

    /// To be called when an entry has become stale. The lists are searched now and then, so they must not come to consist of such entries.
    final func noteStaleEntry() {
        staleEntries += 1
        if staleEntries > 64 { letGoOfStaleEntries() }
    }

    /// The lists hold their objects, which stale entries should not do for long. Where they are few among many they may stay until the save: looking at all
    /// entries for each of them would be quadratic.
    final func letGoOfStaleEntries() {
        guard staleEntries > 0, staleEntries * 8 >= updatedList.count + deletedList.count else { return }
        compactLists()
    }
}
