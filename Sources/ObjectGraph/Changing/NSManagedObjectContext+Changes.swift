import DataModel
import Foundation
import Storage

/// Inserting, changing, deleting, and the processing of changes.
extension NSManagedObjectContext {
    /// Inserts an object that has no context yet, or undoes the deletion of an object of this context.
    ///
    /// If observers were told of the deletion already, they are told that the object was inserted, and otherwise that
    /// it was updated.
    public final func insert(_ object: NSManagedObject) {
        if object.context === self {
            guard object._state.contains(.deleted) else { return }
            let state = object._state
            object._state.subtract([.deleted, .eventDeleted, .deletedElsewhere, .deletedByMerge])
            if state.contains(.updated), !state.contains(.eventUpdated) { object._state.insert(.changedBefore) }
            propagatedDeletions = 0
            noteStaleEntry()
            // Observers that were told of the deletion are told that the object is back.
            if state.isDisjoint(with: [.eventDeleted, .eventInserted]) {
                object._state.insert(.eventInserted)
                eventInserted.append(object)
            }
            object.noteChange()
            return
        }
        guard !object.isPlaceholder else { return }
        guard object.registry.record.pointee.isDetached, !object._state.contains(.gone) else {
            fatalError("\(object.objectID) can't be inserted into \(self): it belongs to another context or was deleted")
        }
        _ = object._loadedSlots
        object.makeDraftIfNeeded()
        object.snapshot = nil
        object.move(to: registryForInsert(object.entity), key: object.key)
        noteInserted(object)
        object.awakeFromInsert()
    }

    /// Marks an object to be deleted by the next save. Delete rules are applied when pending changes are processed.
    public final func delete(_ object: NSManagedObject) {
        guard object.context === self else {
            guard !object._state.contains(.gone), !object.registry.record.pointee.isDetached else { return }
            fatalError("\(object.objectID) can't be deleted by \(self): it belongs to another context")
        }
        checkQueue(object)
        if isTelling { settleRounds(for: object) }
        object.prepareForDeletion()
        // The hook may have deleted the object, or reset the context.
        guard object.context === self, !object._state.contains(.deleted) else { return }
        markDeleted(object)
    }

    final func markDeleted(_ object: NSManagedObject) {
        object._state.insert(.deleted)
        object._state.remove(.writable)
        if !object._state.contains(.inserted) { deletedList.list(object, .inDeletedList) }
        object._state.insert(.eventDeleted)
        eventDeleted.list(object, .inEventDeleted)
        noteTurn()
    }

    final func noteInserted(_ object: NSManagedObject) {
        checkQueue(object)
        object._state.formUnion(readingState.union([.inserted, .eventInserted, .draft, .writable]))
        insertedList.append(object)
        eventInserted.append(object)
        noteTurn()
        if retainsRegisteredObjects { retained.insert(object) }
    }

    final func noteUpdated(_ object: NSManagedObject) {
        checkQueue(object)
        let state = object._state
        if state.contains(.deleted) { return }
        // An object whose deletion was undone is reported as inserted, and was saved before.
        if state.isDisjoint(with: [.inserted, .updated]) {
            object._state.insert(.updated)
            updatedList.list(object, .inUpdatedList)
        }
        if state.isDisjoint(with: [.eventInserted, .eventUpdated]) {
            object.keepImage()
            object._state.insert(.eventUpdated)
            eventUpdated.list(object, .inEventUpdated)
            noteTurn()
        }
    }

    final func noteInaccessible(_ object: NSManagedObject) {
        guard !object._state.contains(.deleted) else { return }
        // Its relationships are empty, so there is nothing for delete rules to do.
        object._state.formUnion([.deleted, .deletedElsewhere, .deletedByMerge, .eventDeleted])
        eventDeleted.list(object, .inEventDeleted)
    }

    // MARK: Processing

    final var hasPendingEvent: Bool {
        !(eventInserted.isEmpty && eventUpdated.isEmpty && eventDeleted.isEmpty && eventRefreshed.isEmpty)
    }

    /// Applies delete rules and posts `NSManagedObjectContextObjectsDidChange` with all changes since the last
    /// processing.
    ///
    /// Posts nothing if there were no changes. Call it on the context's queue.
    public final func processPendingChanges() { processPendingChanges(propagatingDeletes: propagatesDeletesAtEndOfEvent) }

    /// Processes the context's own changes, including those that observers make meanwhile, before the changes of others
    /// come.
    final func processOwnChanges() {
        var rounds = 0
        while hasPendingEvent, rounds < 100 {
            processPendingChanges()
            rounds += 1
        }
    }

    /// Applies the delete rules of objects deleted since the last processing, so that queries don't see what the rules
    /// delete. Observers are not told.
    final func propagatePendingDeletes() {
        guard propagatesDeletesAtEndOfEvent, !undoState.isReplaying, eventDeleted.count > propagatedDeletions else { return }
        checkQueue()
        propagateDeletes(from: propagatedDeletions)
        propagatedDeletions = eventDeleted.count
    }

    /// - Parameter source: whose changes are processed; the context's own, unless it is given.
    final func processPendingChanges(propagatingDeletes: Bool, as source: RoundSource? = nil) {
        defer { observedChanges?.tellAll() }
        dropKeptSets()
        tracking.dropProbe()
        guard
            hasPendingEvent || propagatingDeletes && !deletedUnpropagated.isEmpty || !replacedStates.isEmpty
                || merging.hasQuietlyChanged
        else { return }
        checkQueue()
        finishTelling()
        settleRounds()
        let observers = roundObservers
        let isReplaying = undoState.isReplaying
        let source = source ?? (isReplaying ? RoundSource(origin: .undo, author: transactionAuthor) : ownSource)
        if !observers.isEmpty || observedChanges != nil { readBack(for: observers, isMerge: source.origin == .merge) }
        if isReplaying {
            rememberingFailures { nullifyDeleted() }
        } else if propagatingDeletes {
            propagateDeletes()
        } else {
            deletedUnpropagated += eventDeleted
        }
        let log = event
        if !log.isEmpty { event = EventLog() }
        let inserted = take(&eventInserted) { !$0.contains(.deleted) }
        // An object that was inserted and deleted in the same event never existed for others.
        propagatedDeletions = 0
        let deleted = take(&eventDeleted) { $0.contains(.deleted) && !$0.contains(.eventInserted) }
        let updated = take(&eventUpdated) { $0.isDisjoint(with: [.deleted, .eventInserted]) && $0.contains(.eventUpdated) }
        let refreshed = take(&eventRefreshed) { $0.isDisjoint(with: [.deleted, .eventInserted]) && $0.contains(.eventRefreshed) }
        registerUndo(log, inserted: inserted.kept, updated: updated.all, deleted: deleted.kept, isUndoable: source.isUndoable)
        let vanished = dropVanished(deleted.all)
        // Links are cleared only now, because observers may read the relationships. Loaded relationships would keep the
        // objects alive in cycles. If delete rules have not been applied yet, they need the relationships.
        defer { if propagatingDeletes { for object in vanished where object._state.contains(.gone) { object.clearLinks() } } }
        for list in [inserted.all, updated.all, deleted.all, refreshed.all] {
            list.forEachUnretained { object in
                object._state.subtract(ObjectState.eventMask.union(.writable))
                let state = object._state
                // The state of a deleted object before the event is still needed.
                if !state.contains(.deleted), !state.isDisjoint(with: [.inserted, .updated]) {
                    object._state.insert(.changedBefore)
                }
            }
        }
        if isReplaying {
            cleanUnchanged(updated.kept)
            // Changes that observers make when they are told of the step are not part of it.
            undoState.isReplaying = false
        }
        letGoOfStaleEntries()
        let objects = _ChangeBuckets.Objects(
            inserted: inserted.kept, updated: updated.kept, deleted: deleted.kept, refreshed: refreshed.kept)
        let previous = postedEvent
        postedEvent = nil
        defer { postedEvent = previous }
        guard !objects.isEmpty else { return post(ChangeSets(), objects, since: log, source) }
        let sets = ChangeSets(
            inserted: Set(sparse: inserted.kept), updated: Set(sparse: updated.kept), deleted: Set(sparse: deleted.kept),
            refreshed: Set(sparse: refreshed.kept))
        // No object without unsaved changes may be kept here: the context must not hold such objects.
        let isForSave = deleted.kept.count == deletedList.count && deleted.kept.allSatisfy(\.isDeleted)
        lastEventSets = ChangeSets(inserted: sets.inserted, updated: sets.updated, deleted: isForSave ? sets.deleted : [])
        postedEvent = PostedEvent(log: log, inserted: sets.inserted, updated: sets.updated)
        post(sets, objects, since: log, source)
    }

    private final func dropKeptSets() {
        guard !withKeptSets.isEmpty else { return }
        for members in withKeptSets { members.dropKeptSet() }
        withKeptSets = []
    }

    private final func take(
        _ list: inout ContiguousArray<NSManagedObject>, where isReported: (ObjectState) -> Bool
    ) -> (all: ContiguousArray<NSManagedObject>, kept: ContiguousArray<NSManagedObject>) {
        let all = list
        list = []
        var areReported = true
        all.forEachUnretained { if !isReported($0._state) { areReported = false } }
        return (all, areReported ? all : all.filter { isReported($0._state) })
    }

    /// Releases new objects that were deleted before they were saved.
    private final func dropVanished(_ deleted: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
        let vanished = ContiguousArray(deleted.lazy.filter { $0._state.isSuperset(of: [.inserted, .deleted]) })
        guard !vanished.isEmpty else { return [] }
        insertedList.removeStale(vanished.count) { $0._state.contains(.deleted) }
        NSManagedObject.leaveContext(vanished)
        return vanished
    }

    /// Applies the delete rules of all objects deleted in this event, and of objects that these rules delete.
    private final func propagateDeletes(from start: Int = 0) {
        reading.failureOfDeleteRules = nil
        let earlier = deletedUnpropagated
        deletedUnpropagated = []
        for object in earlier { applyDeleteRules(object) }
        var index = start
        while index < eventDeleted.count {
            applyDeleteRules(eventDeleted[index])
            index += 1
        }
        for object in earlier where object._state.contains(.gone) { object.clearLinks() }
    }

    /// Applies the rules. If something could not be read, the next processing applies them again, so that no save
    /// leaves them applied only in part.
    final func applyDeleteRules(_ object: NSManagedObject) {
        let failures = collectingFailures { applyReadableDeleteRules(object) }.failures
        guard let failure = failures.first else { return }
        reading.failureOfDeleteRules = reading.failureOfDeleteRules ?? failure
        deletedUnpropagated.append(object)
    }

    private final func applyReadableDeleteRules(_ object: NSManagedObject) {
        // The rules of an object that was deleted elsewhere were applied there.
        guard !object._state.contains(.deletedElsewhere) else { return }
        // `gone` means that it was new, and left when its deletion was processed without propagating it.
        guard !object._state.isDisjoint(with: [.deleted, .gone]) else { return }
        // A new object that was made a fault has lost everything.
        guard object.row != nil || !object.isFault || object._state.isDisjoint(with: [.inserted, .gone]) else { return }
        if object._state.contains(.unread) { object.noteUnreadReading() }
        // Its members must be read after its version, so that members that others add later are a conflict. If the row
        // can't be read, the save says so.
        if object.row == nil, parent == nil, object._state.isDisjoint(with: [.inserted, .gone]),
            let row = try? loadRow(of: object)
        {
            object.row = row
            object.readMembersAgain()
        } else if object._state.contains(.hasOlderMembers) {
            object.readMembersAgain()
        }
        for relationship in object.layout.relationships where relationship.storage != .transient {
            switch relationship.deleteRule {
            case .nullifyDeleteRule:
                object.nullify(relationship)
            case .cascadeDeleteRule:
                let destinations =
                    relationship.isToMany ? object.toMany(relationship).objects : [object.toOne(relationship)].compactMap { $0 }
                for destination in destinations where destination._state.contains(.deletedElsewhere) { destination.comeBack() }
                for destination in destinations where !destination.isDeleted && destination.context === self {
                    delete(destination)
                }
                if relationship.isInverseToMany { object.nullify(relationship) }
            case .denyDeleteRule, .noActionDeleteRule:
                // An object that was never saved leaves no row that others could point at.
                if !object._state.isDisjoint(with: [.inserted, .gone]) { object.nullify(relationship) }
            }
        }
        guard merging.hasReturned else { return }
        // Members that are gone from the store, as far as the context knows, were left out.
        for member in merging.takeReturned() { member.comeBack() }
        applyReadableDeleteRules(object)
    }

    /// Removes all references to objects that undo or redo removes. Objects that the step did not know of may still
    /// have some.
    private final func nullifyDeleted() {
        for object in eventDeleted
        where object._state.contains(.deleted) && !object._state.contains(.deletedElsewhere)
            && (object.row != nil || !object._state.contains(.inserted))
        {
            for relationship in object.layout.relationships where relationship.storage != .transient {
                let isLeft = relationship.deleteRule == .noActionDeleteRule || relationship.deleteRule == .denyDeleteRule
                if !isLeft || object.isInserted { object.nullify(relationship) }
            }
        }
    }

    // MARK: Taking back

    /// Undoes all unsaved changes: removes new objects, restores deleted ones, and gives changed ones their last saved
    /// values.
    public final func rollback() {
        finishTelling()
        settleRounds()
        propagateDeletesIfNeeded()
        // Observers know the state at the beginning of this event.
        if !observers.isEmpty {
            for object in updatedList + deletedList where object.hasChanges { object.keepReplacedState() }
            for object in insertedList where object._state.contains(.eventUpdated) { object.keepReplacedState() }
        }
        // Observers were not told of these objects, so they must not be told of their return.
        let unheard = UnheardChanges(inserted: eventInserted, deleted: eventDeleted)
        let inserted = insertedList
        // An object that was changed before it was deleted is in both lists.
        let updated = updatedList.filter { $0._state.contains(.updated) && !$0._state.contains(.deletedElsewhere) }
        let deleted = deletedList.filter { $0._state.contains(.deleted) && !$0._state.contains(.deletedElsewhere) }
        let deletedElsewhere = deletedList.filter { $0._state.contains(.deletedElsewhere) }
        for object in updatedList { object._state.remove(.inUpdatedList) }
        for object in deletedList { object._state.remove(.inDeletedList) }
        (insertedList, updatedList, deletedList) = ([], [], [])
        staleEntries = 0
        for object in eventInserted + eventUpdated + eventDeleted { object._state.subtract(ObjectState.eventMask) }
        (eventInserted, eventUpdated, eventDeleted) = ([], [], [])
        propagatedDeletions = 0
        merging.doubts.removeAll()
        forgetSteps()
        lastEventSets = ChangeSets()
        for object in updated + deleted where !object._state.isDisjoint(with: [.updated, .deleted]) {
            let wasDeleted = object._state.contains(.deleted)
            object._state.subtract([.updated, .deleted, .writable, .draft])
            object.revertToSnapshot()
            object._state.insert(wasDeleted ? .eventInserted : .eventUpdated)
            if wasDeleted { eventInserted.append(object) } else { eventUpdated.list(object, .inEventUpdated) }
        }
        for object in inserted where object._state.contains(.inserted) {
            object._state.subtract([.inserted, .eventInserted])
            object._state.formUnion([.deleted, .eventDeleted])
            eventDeleted.list(object, .inEventDeleted)
        }
        for object in deletedElsewhere { object.clearLinks() }
        NSManagedObject.leaveContext(deletedElsewhere)
        postRollback(vanished: inserted, unheard: unheard)
    }

    /// Deletions that were not processed yet must be propagated to the objects they cascade to, so that those are
    /// restored, too.
    private final func propagateDeletesIfNeeded() {
        if !eventDeleted.isEmpty { propagateDeletes() }
    }

    private final func postRollback(vanished: ContiguousArray<NSManagedObject>, unheard: UnheardChanges) {
        var sets = ChangeSets()
        sets.inserted = Set(eventInserted)
        sets.updated = Set(eventUpdated)
        sets.deleted = Set(eventDeleted)
        let objects = _ChangeBuckets.Objects(inserted: eventInserted, updated: eventUpdated, deleted: eventDeleted)
        for object in eventInserted + eventUpdated + eventDeleted { object._state.subtract(ObjectState.eventMask) }
        (eventInserted, eventUpdated, eventDeleted) = ([], [], [])
        for object in vanished {
            object._state.remove(.deleted)
            object.clearLinks()
        }
        NSManagedObject.leaveContext(vanished)
        guard !objects.isEmpty else { return }
        let previous = postedEvent
        postedEvent = nil
        defer { postedEvent = previous }
        post(sets, objects, RoundSource(origin: .undo, author: transactionAuthor), unheard: unheard)
    }
}

extension NSManagedObject {
    /// Gives a changed object its last fetched or saved values again, and has its relationships read again from the
    /// store.
    final func revertToSnapshot() {
        keepReplacedState()
        if let snapshot {
            row = snapshot
            if _slots != nil { _slots = snapshot.slots }
        }
        snapshot = nil
        clearLinks()
        clearChangedMask()
        _state.subtract([.draft, .writable, .changedBefore])
        if _slots != nil { awake(fromSnapshotEvents: .rollback) }
    }
}
