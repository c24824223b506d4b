import DataModel
import Storage

/// Objects that observers are about to get are read before, while it can be found out whether they exist.
extension NSManagedObjectContext {
    /// Loads the objects of the coming round that were made faults, and those that a merge made known. Objects whose
    /// rows are gone are left out if they are new here, and deleted otherwise.
    final func readBack(for observers: [any _BucketObserver], isMerge: Bool) {
        var faults: [NSManagedObject] = []
        func add(_ object: NSManagedObject) {
            if object.isFault, object.context === self, object._state.isDisjoint(with: [.inserted, .deleted]) {
                faults.append(object)
            }
        }
        changeLists.eventRefreshed.forEachUnretained(add)
        if isMerge { changeLists.eventInserted.forEachUnretained(add) }
        for state in event.replaced.values { add(state.object) }
        event.quiet.all.forEachUnretained(add)
        var deleted: [NSManagedObject] = []
        changeLists.eventDeleted.forEachUnretained { object in
            if object.isFault, object.row == nil, object.context === self, !object._state.contains(.deletedElsewhere) {
                deleted.append(object)
            }
        }
        guard !faults.isEmpty || !deleted.isEmpty else { return }
        let isWatched = watchedEntities(observers)
        readBack(faults.filter { isWatched[$0.layout.index] || $0._state.contains(.isObserved) })
        readLastValues(of: deleted.filter { isWatched[$0.layout.index] })
    }

    private final func readBack(_ faults: [NSManagedObject]) {
        guard !faults.isEmpty else { return }
        dropStaleRows()
        loadTogether(faults)
        var gone: [NSManagedObject] = []
        for object in faults where object.isFault {
            // An object that can't be read reports the failure when it is read.
            do { if try object.fire() == nil { gone.append(object) } } catch { continue }
        }
        guard !gone.isEmpty else { return }
        var deleted: [NSManagedObject] = []
        for object in gone {
            if object._state.contains(.eventInserted) {
                object._state.remove(.eventInserted)
            } else if event.leaveOutQuietlyChanged(object) {
                // This context has not known it.
            } else {
                if let row = event.replaced[ObjectIdentifier(object)]?.row {
                    object.row = row
                    object._slots = row.slots
                }
                mergeDeletion(of: object)
                deleted.append(object)
            }
        }
        changeLists.dropUninserted()
        forget(deleted)
    }

    private final func readLastValues(of deleted: some Sequence<NSManagedObject>) {
        loadTogether(deleted)
        for object in deleted where object.row == nil { object.row = try? loadRow(of: object) }
    }

    /// Whether an entity's objects have observers, by entity index.
    private final func watchedEntities(_ observers: [any _BucketObserver]) -> [Bool] {
        let count = runtime.layout.entities.count
        var result = [Bool](repeating: false, count: count)
        for observer in observers {
            guard let entities = observer._watchedEntities(in: self) else { return [Bool](repeating: true, count: count) }
            for index in entities { result[index] = true }
        }
        return result
    }
}
