import DataModel
import Foundation
import Storage

extension NSManagedObjectContext {
    /// Writes all unsaved changes to the stores, each store's in one transaction; the changes of a child context go to
    /// its parent.
    ///
    /// In this order: pending changes are processed, `NSManagedObjectContextWillSave` is posted, the objects'
    /// `willSave()` is called until it makes no further changes, everything is validated, the stores are written,
    /// `didSave()` is called, `NSManagedObjectContextDidSave` and `NSManagedObjectContextDidSaveObjectIDs` are posted.
    /// Without changes, only the notifications are posted.
    ///
    /// Conflicts with what others saved, and with uniqueness constraints, are resolved by the ``mergePolicy``, and the
    /// stores are written again.
    ///
    /// Observers and delegates that are called after the stores were written (`didSave()`,
    /// `NSManagedObjectContextDidSave` and what follows it, observers of saves) may save again. Saving again throws
    /// before that, while the save processes pending changes or is about to write. A nested save that has nothing to
    /// save calls no observers.
    ///
    /// - Throws: A ``ReadingFailure`` if values that could not be read were not read since; a validation error (15xx,
    ///   16xx), 133020 (`NSManagedObjectMergeError`) or 133021 (`NSManagedObjectConstraintMergeError`) for conflicts
    ///   that the merge policy does not resolve, 134030 (`NSPersistentStoreSaveError`) if it is called while the
    ///   context is being saved, or an error of the store. Nothing was written then and the changes stay pending.
    public final func save() throws {
        checkQueue()
        guard !saving.isUnderWay else {
            throw NSError.coreData(
                NSPersistentStoreSaveError,
                "save() was called on \(self) by an observer, a delegate or willSave() while it is being saved, before anything was written: the save under way "
                    + "writes their changes, too. Save again when it is done, in an observer of NSManagedObjectContextDidSave for one"
            )
        }
        guard telling.saves.isEmpty || changeLists.hasEvent || hasChanges else { return }
        guard telling.saves.count < Self.greatestSaveDepth else {
            throw NSError.coreData(
                NSPersistentStoreSaveError,
                "\(self) was saved \(telling.saves.count) times, each time by an observer of the save before: an observer of saves must not change and save "
                    + "something at each of them")
        }
        beginMutation()
        defer { endMutation() }
        let saved = try write()
        telling.begin(saved.notice)
        defer { telling.endSave() }
        tell(of: saved)
    }

    private static let greatestSaveDepth = 50

    /// The written objects, for observers and notifications.
    private struct Saved {
        let sets: ChangeSets
        let objects: _ChangeBuckets.Objects
        let ids: SavedObjectIDs
        let notice: SaveNotice
        let round: SavedRound?
        let observers: [any _BucketObserver]
    }

    private final func write() throws -> Saved {
        try requireEverythingRead()
        finishTelling()
        settleRounds()
        saving.isUnderWay = true
        defer { saving.isUnderWay = false }
        processPendingChanges(propagatingDeletes: true)
        postWillSave()
        callWillSave()
        do { try validate() } catch {
            // If the store is gone, this error says more than a failure to read one object.
            for object in changeLists.updated where object.isOfRemovedStore { _ = try storeOf(object) }
            throw error
        }
        try requireEverythingProcessed()
        let observers = saveObservers
        var round: SavedRound?
        var differences: SavedDifferences?
        let sets = try saveUntilNoConflict {
            if !observers.isEmpty { round = SavedRound(self) }
            differences = SavedDifferences(self)
        }
        let gone = saving.takeVanished()
        if !gone.isEmpty {
            round?.leaveOut(gone)
            differences?.leaveOut(gone)
        }
        let author = transactionAuthor
        advanceQueryGeneration()
        let objects = changeLists.takeUnsaved()
        // Hooks and observers may change the objects, so what the IDs are made of is noted first.
        let ids = SavedObjectIDs(objects)
        let notice = (differences ?? SavedDifferences(self)).notice(author: author, ids)
        shared.saveNotices.add(notice)
        if !shared.observers.isEmpty {
            for object in objects.inserted.suffix(ToldInsertions.greatestCount) { _ = telling.insertions.add(object) }
        }
        return Saved(sets: sets, objects: objects, ids: ids, notice: notice, round: round, observers: observers)
    }

    private final func tell(of saved: Saved) {
        var objects = saved.objects
        objects.inserted.forEachUnretained { $0.didSave() }
        objects.updated.forEachUnretained { $0.didSave() }
        objects.deleted.forEachUnretained { $0.didSave() }
        let source = RoundSource(origin: .local, author: saved.notice.author)
        if let round = saved.round {
            objects.updated = round.changed(objects.updated)
            objects.deleted = round.deleted(objects.deleted)
            let past = round.past(in: self)
            tell(saved.observers, objects, source, past) { postDidSave(saved) }
        } else {
            postDidSave(saved)
        }
        // Loaded relationships would keep deleted objects alive in cycles.
        for object in saved.objects.deleted { object.clearLinks() }
    }

    /// Calls `willSave()` on every object to be saved, and again on those that it changed.
    private final func callWillSave() {
        processPendingChanges(propagatingDeletes: true)
        changeLists.inserted.forEachUnretained { if $0.isPendingInsert { $0.willSave() } }
        changeLists.updated.forEachUnretained { if $0.isUpdated { $0.willSave() } }
        changeLists.deleted.forEachUnretained { if $0.isDeleted { $0.willSave() } }
        callWillSaveOnChanged()
    }

    /// Processes the changes made since, and calls `willSave()` on the changed objects, until it makes no further
    /// changes.
    ///
    /// - Parameter source: the source of the first changes; the context itself, unless it is given.
    final func callWillSaveOnChanged(as source: RoundSource? = nil) {
        var passes = 1
        var source = source
        while true {
            let changed = ContiguousArray(
                [changeLists.eventInserted, changeLists.eventUpdated, changeLists.eventDeleted].joined())
            guard !changed.isEmpty else { return }
            passes += 1
            processPendingChanges(propagatingDeletes: true, as: source)
            source = nil
            guard passes < 1000 else { stopForEndlessChanges(changed[0], areOfObservers: changeLists.hasEvent) }
            for object in changed where object.hasChanges { object.willSave() }
        }
    }

    private final func stopForEndlessChanges(_ object: NSManagedObject, areOfObservers: Bool) -> Never {
        let name = "\(type(of: object))"
        fatalError(
            areOfObservers
                ? "An observer or delegate of \(self) changes objects of \(name) in each round of changes that it is told of, so saving never ends: "
                    + "set a value only if it differs"
                : "willSave() of \(name) changes the object at each call: set a value only if it differs")
    }

    final func pushChanges(to parent: NSManagedObjectContext) throws {
        try ChildSave(child: self, parent: parent).push()
        for object in changeLists.inserted {
            object.didCommit()
            object._state.insert(.pushedAsNew)
        }
        for object in changeLists.updated { object.didCommit() }
        NSManagedObject.leaveContext(changeLists.deleted)
    }

    final func storeOf(_ object: NSManagedObject) throws -> NSPersistentStore {
        guard let store = object.registry.store?.store else {
            throw NSError.coreData(
                NSPersistentStoreSaveError, "\(object.objectID) can't be saved: its store was removed from the coordinator",
                [NSAffectedObjectsErrorKey: [object]])
        }
        return store
    }

    private final func postDidSave(_ saved: Saved) {
        let ids = saved.ids
        postDidSave(saved.sets)
        postDidSave(ids)
        let receivers = receiversOfSaves
        guard !receivers.isEmpty else { return }
        let changes = ForeignChanges(
            inserted: ids.inserted.ids, updated: ids.updated.ids, deleted: ids.deleted.ids, author: saved.notice.author,
            notice: saved.notice)
        send(changes, to: receivers)
    }

    /// Gives new objects permanent IDs before they are saved.
    ///
    /// In a child context, too, these are the IDs that the objects will have in the store.
    ///
    /// - Parameter objects: Objects of this context; objects with permanent IDs stay as they are.
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
            let key =
                try store.newKeys(for: [object], in: self)?.first
                ?? store.save { try $0.reserveKeys(1, root: self.runtime.layout.entities[object.layout.root]) }
            let id = object.cachedID
            giveKey(key, to: object, in: registries(store.reference).registry(object.layout.index))
            id?.becomePermanent(object.objectID)
        }
    }
}
