import DataModel
import Foundation
import Storage

extension NSManagedObjectContext {
    /// Writes all unsaved changes to the stores, each store's in one transaction; those of a child context go to its parent.
    ///
    /// In this order: pending changes are processed, `NSManagedObjectContextWillSave` is posted, the objects' `willSave()` is called until it changes
    /// nothing more, everything is validated, the stores are written, `didSave()` is called,
    /// `NSManagedObjectContextDidSave` and `NSManagedObjectContextDidSaveObjectIDs` are posted. Without changes only the notifications come.
    ///
    /// Conflicts with what others saved, and with uniqueness constraints, are resolved by the ``mergePolicy``, and the stores are written once more.
    ///
    /// - Throws: A ``ReadingFailure`` where something that could not be read was not read since; a validation error (15xx, 16xx), 133020 (`NSManagedObjectMergeError`) or 133021 (`NSManagedObjectConstraintMergeError`) for
    ///   conflicts that the merge policy does not resolve, or an error of the store. Nothing was written then and the changes stay pending.
    public final func save() throws {
        guard !isSaving else { fatalError("save() was called on \(self) while it is saving") }
        checkQueue()
        try requireEverythingRead()
        settleRounds()
        isSaving = true
        defer { isSaving = false }
        processPendingChanges(propagatingDeletes: true)
        postWillSave()
        callWillSave()
        try validate()
        try requireEverythingProcessed()
        let observers = saveObservers
        let round = observers.isEmpty ? nil : SavedRound(self)
        let sets = try writeResolvingConflicts()
        advanceQueryGeneration()
        let objects = (inserted: insertedList, updated: updatedList, deleted: deletedList)
        updatedList.forEachUnretained { $0._state.remove(.inUpdatedList) }
        deletedList.forEachUnretained { $0._state.remove(.inDeletedList) }
        (insertedList, updatedList, deletedList) = ([], [], [])
        staleEntries = 0
        lastEventSets = ChangeSets()
        objects.inserted.forEachUnretained { $0.didSave() }
        objects.updated.forEachUnretained { $0.didSave() }
        objects.deleted.forEachUnretained { $0.didSave() }
        postDidSave(sets, objects)
        if let round {
            let objects = _ChangeBuckets.Objects(
                inserted: objects.inserted, updated: round.changed(objects.updated), deleted: objects.deleted)
            tell(observers, objects, .local, round.past(in: self))
        }
        // Loaded relationships would keep deleted objects alive in cycles.
        for object in objects.deleted { object.clearLinks() }
    }

    /// Calls `willSave()` on every object to be saved, and again on those that changed by it.
    private final func callWillSave() {
        processPendingChanges(propagatingDeletes: true)
        insertedList.forEachUnretained { if $0.isPendingInsert { $0.willSave() } }
        updatedList.forEachUnretained { if $0.isUpdated { $0.willSave() } }
        deletedList.forEachUnretained { if $0.isDeleted { $0.willSave() } }
        callWillSaveOnChanged()
    }

    /// Processes what changed since, and calls `willSave()` on that until it changes nothing more.
    final func callWillSaveOnChanged() {
        var rounds = 1
        while true {
            let changed = ContiguousArray([eventInserted, eventUpdated, eventDeleted].joined())
            guard !changed.isEmpty else { return }
            rounds += 1
            guard rounds < 1000 else {
                fatalError(
                    "willSave() of \(type(of: changed[0])) changes the object at each call: set a value only if it differs")
            }
            processPendingChanges(propagatingDeletes: true)
            for object in changed where object.hasChanges { object.willSave() }
        }
    }

    /// The sets for the notifications: those of the last processing where they are the same.
    final func savedSets() -> ChangeSets {
        func set(_ list: ContiguousArray<NSManagedObject>, _ last: Set<NSManagedObject>, _ isSame: (NSManagedObject) -> Bool)
            -> Set<NSManagedObject>
        {
            last.count == list.count && last.allSatisfy(isSame) ? last : Set(sparse: list)
        }
        return ChangeSets(
            inserted: set(insertedList, lastEventSets.inserted, \.isPendingInsert),
            updated: set(updatedList, lastEventSets.updated, \.isUpdated),
            deleted: set(deletedList, lastEventSets.deleted, \.isDeleted))
    }

    final func pushChanges(to parent: NSManagedObjectContext) throws {
        try ChildSave(child: self, parent: parent).push()
        for object in insertedList {
            object.didCommit()
            object._state.insert(.pushedAsNew)
        }
        for object in updatedList { object.didCommit() }
        NSManagedObject.leaveContext(deletedList)
    }

    final func storeOf(_ object: NSManagedObject) throws -> NSPersistentStore {
        guard let store = object.registry.store?.store else {
            throw NSError.coreData(
                NSPersistentStoreSaveError, "\(object.objectID) can't be saved: its store was removed from the coordinator",
                [NSAffectedObjectsErrorKey: [object]])
        }
        return store
    }

    private final func postDidSave(
        _ sets: ChangeSets,
        _ objects: (
            inserted: ContiguousArray<NSManagedObject>, updated: ContiguousArray<NSManagedObject>,
            deleted: ContiguousArray<NSManagedObject>
        )
    ) {
        let receivers = receiversOfSaves
        guard ObjectIDInterest.exists || !receivers.isEmpty else { return postDidSave(sets) }
        // Made first: from now on every thread may ask the objects for their IDs.
        func ids(_ list: ContiguousArray<NSManagedObject>) -> Set<NSManagedObjectID> {
            Set(sparse: list.lazy.map(\.objectID))
        }
        var saved = SavedObjectIDs()
        saved.inserted = ids(objects.inserted)
        saved.updated = ids(objects.updated)
        saved.deleted = ids(objects.deleted)
        postDidSave(sets)
        if ObjectIDInterest.exists { postDidSave(saved) }
        send(saved, to: receivers)
    }

    /// Gives new objects permanent IDs before they are saved.
    ///
    /// In a child context, too, they are those that the objects will have in the store.
    ///
    /// - Parameter objects: Objects of this context; those with permanent IDs stay as they are.
    /// - Throws: An error of the store.
    public final func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        guard let coordinator = persistentStoreCoordinator else {
            throw NSError.coreData(NSPersistentStoreSaveError, "\(self) has no persistentStoreCoordinator")
        }
        for object in objects where object.context === self && object.key < 0 {
            if !object._state.contains(.inserted) {
                try obtainPermanentIDInParent(of: object)
                continue
            }
            let store = try coordinator.storeForNewObject(object)
            let key = try store.save { try $0.reserveKeys(1, root: self.runtime.layout.entities[object.layout.root]) }
            let id = object.cachedID
            giveKey(key, to: object, in: registries(store.reference).registry(object.layout.index))
            id?.becomePermanent(object.objectID)
        }
    }
}
