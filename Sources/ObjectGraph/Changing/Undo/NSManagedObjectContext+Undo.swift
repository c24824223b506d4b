import DataModel
import Foundation
public import FoundationGaps
import Predicates
import Storage

extension NSManagedObjectContext {
    /// The undo manager that makes changes undoable. Nil, the default, for contexts that need no undo and don't pay for
    /// it.
    ///
    /// Each processing of pending changes becomes one step. Saving keeps the steps, unless the merge policy resolves a
    /// conflict; ``reset()`` and ``rollback()`` drop them. The steps hold their objects.
    ///
    /// Without a run loop each processing is a group of its own (see `UndoManager`). Set and use it on the context's queue.
    public final var undoManager: UndoManager? {
        get { undoing.manager }
        set {
            guard newValue !== undoing.manager else { return }
            if changeLists.hasEvent { processPendingChanges() }
            leaveUndoManager()
            undoing.manager = newValue
            newValue?.addClient(self)
        }
    }

    /// Processes pending changes, then undoes the last group of the undo manager. Does nothing without one.
    public final func undo() {
        processOwnChanges()
        undoing.manager?.undo()
    }

    /// Processes pending changes, then redoes the last undone group. Does nothing without an undo manager.
    public final func redo() {
        processOwnChanges()
        undoing.manager?.redo()
    }

    /// Drops all steps, and the record of the present event.
    final func forgetSteps() {
        undoing.manager?.removeAllActions()
        event.forgetChanges()
        _ = changeLists.takeUnpropagated()
    }

    /// Removes the context's steps from its undo manager.
    final func leaveUndoManager() {
        guard let manager = undoing.manager else { return }
        manager.removeAllActions(withTarget: self)
        manager.removeClient(self)
    }

    /// Registers a step, if the event changed anything that can be undone. Must be called before new objects that were
    /// deleted again leave the context.
    final func registerUndo(_ log: EventLog, _ lists: EventLists, isUndoable: Bool) {
        guard let manager = undoing.manager else { return }
        defer { endUndoEvent() }
        guard manager.isUndoRegistrationEnabled, isUndoable else { return }
        let step = UndoStep()
        // Objects that a merge or a merge policy brought are not new.
        let inserted = lists.inserted.reported
        step.inserted = undoing.isReplaying ? inserted : inserted.filter { $0._state.contains(.inserted) }
        for object in lists.deleted.reported where !object._state.contains(.deletedElsewhere) {
            guard object.loadForRestoring() else { continue }
            step.deleted.append(
                .init(object: object, wasNew: object._state.contains(.inserted), destinations: object.knownDestinations))
        }
        for object in lists.updated.all {
            guard let before = log.image(of: object)?.row ?? object.snapshot else { continue }
            let slots = object.valueSlots(differingFrom: before)
            if !slots.isEmpty { step.updated.append(.init(object: object, row: before, slots: slots)) }
        }
        step.links = log.links.withoutVanished
        guard !step.isEmpty else { return }
        manager.registerUndo(withTarget: self) { $0.takeBack(step) }
    }

    /// Ends the group of an event, because no run loop does.
    private final func endUndoEvent() {
        undoing.manager?.endEvent()
    }

    /// Drops records that would give an object values that it never had.
    final func forgetUndo(of object: NSManagedObject) {
        event.log.forget(object)
        undoing.manager?.removeAllActions(withTarget: self)
    }

    /// Undoes a step as an event of its own, which registers the step that redoes it.
    private final func takeBack(_ step: UndoStep) {
        undoing.isReplaying = true
        defer { undoing.isReplaying = false }
        for deletion in step.deleted { restore(deletion) }
        // All objects have their keys now.
        for deletion in step.deleted where deletion.object.isInserted { deletion.object.updateForeignKeys() }
        renewReferences(to: step.deleted.lazy.filter { !$0.wasNew && $0.object.isInserted }.map(\.object))
        changeLists.dropRestored(step.deleted.count)
        let destinations = step.links.map(\.presentDestination)
        for link in step.links.reversed() { link.owner.takeBack(link.change, link.owner.layout.relationships[link.relationship]) }
        for (link, former) in zip(step.links, destinations) {
            if let former { link.owner.letGo(of: former, link.owner.layout.relationships[link.relationship]) }
        }
        for update in step.updated where update.object.isAlive(in: self) { update.object.takeBack(update) }
        for deletion in step.deleted where deletion.object.isAlive(in: self) {
            deletion.object.awake(fromSnapshotEvents: .undoDeletion)
        }
        for object in step.inserted where object.isAlive(in: self) {
            object.awake(fromSnapshotEvents: .undoInsertion)
            markDeleted(object)
        }
        processPendingChanges()
    }

    /// Makes a deleted object part of the context again.
    private final func restore(_ deletion: UndoStep.Deletion) {
        let object = deletion.object
        if object.context === self {
            guard object._state.contains(.deleted) else { return }
            if object._state.contains(.deletedElsewhere) { return reinsert(deletion) }
            object._state.subtract([.deleted, .eventDeleted])
            changeLists.addToEvent(inserted: object)
            // While it was deleted, it could not be noted as changed.
            if !object._state.contains(.inserted), !object.markedSlots.isEmpty { noteUpdated(object) }
            return
        }
        guard object._state.contains(.gone), object.registry.runtime === runtime else { return }
        reinsert(deletion)
    }

    /// Inserts an object that has no row in a store, or no longer has one.
    private final func reinsert(_ deletion: UndoStep.Deletion) {
        let object = deletion.object
        guard object.row != nil else { return }
        object._state.subtract([.gone, .deleted, .deletedElsewhere, .deletedByMerge, .eventDeleted])
        if deletion.wasNew {
            let registries = object.registry.store.map(registries) ?? unsavedRegistries
            object.move(to: registries.registry(object.layout.index), key: object.key)
        } else {
            // It comes back under a new ID.
            object.move(to: unsavedRegistries.registry(object.layout.index), key: TemporaryKeys.next())
            object.becomeNew()
        }
        noteInserted(object)
        object.setDestinations(deletion.destinations)
    }

    /// Objects that came back under a new ID have it in relationships without inverse, too, as far as those are loaded.
    /// For relationships that are not loaded, the owners are not known.
    private final func renewReferences(to objects: some Sequence<NSManagedObject>) {
        let returned = Set(objects.map(ObjectIdentifier.init))
        guard !returned.isEmpty, runtime.layout.entities.contains(where: { $0.relationships.contains(where: \.isOneWay) }) else {
            return
        }
        for owner in allObjects where owner.links != nil && !owner.isDeleted {
            for relationship in owner.layout.relationships where relationship.isOneWay {
                owner.renewReferences(of: relationship, to: returned)
            }
        }
    }

    /// Objects that a step gave their saved values back no longer have changes.
    final func cleanUnchanged(_ updated: ContiguousArray<NSManagedObject>) {
        var count = 0
        for object in updated where object.becomeCleanIfUnchanged() { count += 1 }
        if count > 0 { changeLists.dropUnchanged(count) }
    }
}

extension NSManagedObjectContext: UndoManagerClient {
    package final func registerPendingUndo() {
        guard changeLists.hasEvent, queue.allowsAccess, !undoing.isReplaying else { return }
        processPendingChanges()
    }
}
