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
        beginMutation()
        defer { endMutation() }
        if object.context === self {
            guard object._state.contains(.deleted) else { return }
            let state = object._state
            object._state.subtract([.deleted, .eventDeleted, .deletedElsewhere, .deletedByMerge])
            if state.contains(.updated), !state.contains(.eventUpdated) { object._state.insert(.changedBefore) }
            changeLists.forgetPropagation()
            changeLists.noteStaleEntry()
            // Observers that were told of the deletion are told that the object is back.
            if state.isDisjoint(with: [.eventDeleted, .eventInserted]) { changeLists.addToEvent(inserted: object) }
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
        beginMutation()
        defer { endMutation() }
        if telling.isTelling { settleRounds(for: object) }
        object.prepareForDeletion()
        // The hook may have deleted the object, or reset the context.
        guard object.context === self, !object._state.contains(.deleted) else { return }
        markDeleted(object)
    }

    final func markDeleted(_ object: NSManagedObject) {
        changeLists.delete(object)
        noteTurn()
    }

    final func noteInserted(_ object: NSManagedObject) {
        checkQueue(object)
        changeLists.insert(object, observing.objectState.union([.draft, .writable]))
        noteTurn()
        uniquing.retain(object)
    }

    final func noteUpdated(_ object: NSManagedObject) {
        checkQueue(object)
        let state = object._state
        if state.contains(.deleted) { return }
        // An object whose deletion was undone is reported as inserted, and was saved before.
        changeLists.update(object)
        if state.isDisjoint(with: [.eventInserted, .eventUpdated]) {
            object.keepImage()
            changeLists.addToEvent(updated: object)
            noteTurn()
        }
    }

    final func noteInaccessible(_ object: NSManagedObject) {
        guard !object._state.contains(.deleted) else { return }
        // Its relationships are empty, so there is nothing for delete rules to do.
        changeLists.addToEvent(deleted: object, as: [.deleted, .deletedElsewhere, .deletedByMerge])
    }

    /// The objects inserted and changed since the last processing of pending changes. Observers were not told of them
    /// yet.
    package final var untoldObjects: ContiguousArray<NSManagedObject> { changeLists.eventInserted + changeLists.eventUpdated }

    // MARK: Processing

    /// Applies delete rules and posts `NSManagedObjectContextObjectsDidChange` with all changes since the last
    /// processing.
    ///
    /// Posts nothing if there were no changes. Call it on the context's queue.
    public final func processPendingChanges() { processPendingChanges(propagatingDeletes: propagatesDeletesAtEndOfEvent) }

    /// Processes the context's own changes, including those that observers make meanwhile, before the changes of others
    /// come.
    final func processOwnChanges() {
        var count = 0
        while changeLists.hasEvent, count < 100 {
            processPendingChanges()
            count += 1
        }
    }

    /// Applies the delete rules of objects deleted since the last processing, so that queries don't see what the rules
    /// delete. Observers are not told.
    final func propagatePendingDeletes() {
        guard propagatesDeletesAtEndOfEvent, !undoing.isReplaying, changeLists.hasNewDeletions else { return }
        checkQueue()
        propagateDeletes(from: changeLists.propagatedDeletions)
        changeLists.notePropagation()
    }

    /// Ends the event, in this order:
    ///
    /// 1. rounds that are being told write down their past,
    /// 2. objects that observers are about to get are read,
    /// 3. delete rules are applied, which may change and delete more objects,
    /// 4. the event is taken, and the next one begins,
    /// 5. a step for undo is registered,
    /// 6. new objects that were deleted again leave the context,
    /// 7. the objects' bits for the event are cleared,
    /// 8. the notification is posted, and observers are told.
    ///
    /// - Parameters:
    ///   - propagatingDeletes: Whether delete rules are applied, or left to the save.
    ///   - source: The source of the changes; the context itself, unless it is given.
    final func processPendingChanges(propagatingDeletes: Bool, as source: RoundSource? = nil) {
        defer { observing.changes?.tellAll() }
        for members in event.takeKeptSets() { members.dropKeptSet() }
        shared.tracking.dropProbe()
        guard hasAnythingToProcess(propagatingDeletes) else { return }
        checkQueue()
        beginMutation()
        defer { endMutation() }
        finishTelling()
        settleRounds()
        let observers = roundObservers
        let isReplaying = undoing.isReplaying
        let source = source ?? (isReplaying ? .undo(by: transactionAuthor) : ownSource)
        if !observers.isEmpty || observing.changes != nil { readBack(for: observers, isMerge: source.origin == .merge) }
        applyDeleteRulesOfEvent(isReplaying: isReplaying, propagates: propagatingDeletes)
        let log = event.takeLog()
        let lists = changeLists.takeEvent()
        registerUndo(log, lists, isUndoable: source.isUndoable)
        let vanished = dropVanished(lists.deleted.all)
        // Links are cleared only now, because observers may read the relationships. Loaded relationships would keep the
        // objects alive in cycles. If delete rules have not been applied yet, they need the relationships.
        defer { if propagatingDeletes { for object in vanished where object._state.contains(.gone) { object.clearLinks() } } }
        lists.clearBits()
        if isReplaying { endReplaying(lists.updated.reported) }
        changeLists.letGoOfStaleEntries()
        tell(of: lists, log, source)
    }

    private final func hasAnythingToProcess(_ propagatesDeletes: Bool) -> Bool {
        changeLists.hasEvent || propagatesDeletes && !changeLists.unpropagated.isEmpty || !event.replaced.isEmpty
            || !event.quiet.all.isEmpty
    }

    private final func applyDeleteRulesOfEvent(isReplaying: Bool, propagates: Bool) {
        if isReplaying {
            rememberingFailures { nullifyDeleted() }
        } else if propagates {
            propagateDeletes()
        } else {
            changeLists.postponePropagation()
        }
    }

    /// Changes that observers make when they are told of the step are not part of it.
    private final func endReplaying(_ updated: ContiguousArray<NSManagedObject>) {
        cleanUnchanged(updated)
        undoing.isReplaying = false
    }

    private final func tell(of lists: EventLists, _ log: EventLog, _ source: RoundSource) {
        let objects = lists.reported
        guard !objects.isEmpty else { return posting(nil) { post(ChangeSets(), objects, since: log, source) } }
        let sets = ChangeSets(objects)
        changeLists.keepSets(sets)
        posting(PostedEvent(log: log, sets: sets)) { post(sets, objects, since: log, source) }
    }

    /// Runs code that posts an event. The event can be read meanwhile.
    private final func posting(_ posted: PostedEvent?, _ body: () -> Void) {
        let outer = event.beginPosting(posted)
        body()
        event.endPosting(outer)
    }

    /// Releases new objects that were deleted before they were saved.
    private final func dropVanished(_ deleted: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
        let vanished = ContiguousArray(deleted.lazy.filter { $0._state.isSuperset(of: [.inserted, .deleted]) })
        guard !vanished.isEmpty else { return [] }
        changeLists.dropVanished(vanished.count)
        NSManagedObject.leaveContext(vanished)
        return vanished
    }

    /// Applies the delete rules of all objects deleted in this event, and of objects that these rules delete.
    private final func propagateDeletes(from start: Int = 0) {
        reading.failureOfDeleteRules = nil
        let earlier = changeLists.takeUnpropagated()
        for object in earlier { applyDeleteRules(object) }
        var index = start
        while index < changeLists.eventDeleted.count {
            applyDeleteRules(changeLists.eventDeleted[index])
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
        changeLists.postponePropagation(of: object)
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
        for relationship in object.layout.storedRelationships {
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
        for object in changeLists.eventDeleted
        where object._state.contains(.deleted) && !object._state.contains(.deletedElsewhere)
            && (object.row != nil || !object._state.contains(.inserted))
        {
            for relationship in object.layout.storedRelationships {
                let isLeft = relationship.deleteRule == .noActionDeleteRule || relationship.deleteRule == .denyDeleteRule
                if !isLeft || object.isInserted { object.nullify(relationship) }
            }
        }
    }

    // MARK: Taking back

    /// Undoes all unsaved changes: removes new objects, restores deleted ones, and gives changed ones their last saved
    /// values.
    public final func rollback() {
        beginMutation()
        defer { endMutation() }
        finishTelling()
        settleRounds()
        propagateDeletesIfNeeded()
        // Observers know the state at the beginning of this event.
        if !shared.observers.isEmpty {
            for object in changeLists.updated + changeLists.deleted where object.hasChanges { object.keepReplacedState() }
            for object in changeLists.inserted where object._state.contains(.eventUpdated) { object.keepReplacedState() }
        }
        // Observers were not told of these objects, so they must not be told of their return.
        let unheard = UnheardChanges(inserted: changeLists.eventInserted, deleted: changeLists.eventDeleted)
        changeLists.takeChangesOfEvent()
        let unsaved = changeLists.takeUnsaved()
        // An object that was changed before it was deleted is in both lists.
        let updated = unsaved.updated.filter { $0._state.contains(.updated) && !$0._state.contains(.deletedElsewhere) }
        let deleted = unsaved.deleted.filter { $0._state.contains(.deleted) && !$0._state.contains(.deletedElsewhere) }
        let deletedElsewhere = unsaved.deleted.filter { $0._state.contains(.deletedElsewhere) }
        merging.forgetDoubts()
        forgetSteps()
        for object in updated + deleted where !object._state.isDisjoint(with: [.updated, .deleted]) {
            let wasDeleted = object._state.contains(.deleted)
            object._state.subtract([.updated, .deleted, .writable, .draft])
            object.revertToSnapshot()
            if wasDeleted { changeLists.addToEvent(inserted: object) } else { changeLists.addToEvent(updated: object) }
        }
        for object in unsaved.inserted where object._state.contains(.inserted) {
            object._state.subtract([.inserted, .eventInserted])
            changeLists.addToEvent(deleted: object, as: .deleted)
        }
        for object in deletedElsewhere { object.clearLinks() }
        NSManagedObject.leaveContext(deletedElsewhere)
        postRollback(vanished: unsaved.inserted, unheard: unheard)
    }

    /// Deletions that were not processed yet must be propagated to the objects they cascade to, so that those are
    /// restored, too.
    private final func propagateDeletesIfNeeded() {
        if !changeLists.eventDeleted.isEmpty { propagateDeletes() }
    }

    private final func postRollback(vanished: ContiguousArray<NSManagedObject>, unheard: UnheardChanges) {
        let objects = changeLists.takeChangesOfEvent()
        let sets = ChangeSets(objects)
        for object in vanished {
            object._state.remove(.deleted)
            object.clearLinks()
        }
        NSManagedObject.leaveContext(vanished)
        guard !objects.isEmpty else { return }
        posting(nil) { post(sets, objects, .undo(by: transactionAuthor), unheard: unheard) }
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
