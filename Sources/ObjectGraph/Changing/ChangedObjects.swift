/// The context's lists of changed objects. The bits of an object's state tell whether its entry counts: an undone
/// change clears a bit and leaves the entry where it is, because searching for entries would make undoing many changes
/// quadratic.
extension ContiguousArray<NSManagedObject> {
    /// Adds an object, unless its entry is still there from an earlier change. That entry counts again.
    ///
    /// - Parameter listed: The bit that says that the object has an entry.
    mutating func list(_ object: NSManagedObject, _ listed: ObjectState) {
        guard !object._state.contains(listed) else { return }
        object._state.insert(listed)
        append(object)
    }

    /// Removes entries that no longer count. Undo works backwards, so they are usually the last ones.
    ///
    /// - Parameter count: The least number of such entries.
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
    /// The objects inserted and changed since the last processing of pending changes. Observers were not told of them
    /// yet.
    package final var untoldObjects: ContiguousArray<NSManagedObject> { eventInserted + eventUpdated }

    /// Drops all entries that no longer count.
    final func compactLists() {
        insertedList.removeStale([]) { !$0.isPendingInsert }
        // A deleted object that comes back must be listed again, so its `updated` is cleared, too.
        updatedList.removeStale([.inUpdatedList, .updated]) { !$0.isUpdated }
        deletedList.removeStale(.inDeletedList) { !$0.isDeleted }
        staleEntries = 0
    }

    /// Must be called when an entry has become stale. The lists are searched now and then, so stale entries must not
    /// fill them.
    final func noteStaleEntry() {
        staleEntries += 1
        if staleEntries > 64 { letGoOfStaleEntries() }
    }

    /// The lists hold their objects, and stale entries should not do so for long. A few stale entries among many others
    /// may stay until the save: looking at all entries for each of them would be quadratic.
    final func letGoOfStaleEntries() {
        guard staleEntries > 0, staleEntries * 8 >= updatedList.count + deletedList.count else { return }
        compactLists()
    }
}
