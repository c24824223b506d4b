import DataModel
import Foundation
import Storage

extension NSManagedObjectContext {
    /// Replaces an object's values by those of the store.
    ///
    /// - Parameters:
    ///   - object: An object of this context.
    ///   - flag: With true, unsaved changes are kept on top of the fresh values, and an object without changes becomes
    ///     a fault. With false, unsaved changes are lost, except on the other sides of its relationships, and the
    ///     object becomes a fault.
    public final func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        guard object.context === self else { return }
        beginMutation()
        defer { endMutation() }
        object.readFailedRelationshipsAgain()
        // A fault has changes if an inverse changed one of its to-many relationships.
        guard !object.isFault || object.isUpdated else { return object.readAgain() }
        if flag, object.hasChanges {
            if !object.isFault { merge(object) }
        } else {
            object._state.subtract([.updated, .eventUpdated, .writable, .changedBefore])
            changeLists.noteStaleEntry()
            changeLists.forgetSets()
            object.keepReplacedState()
            object.turnIntoFault()
        }
        noteRefreshed(object)
    }

    /// Refreshes every object, keeping unsaved changes.
    public final func refreshAllObjects() {
        beginMutation()
        defer { endMutation() }
        advanceQueryGeneration()
        for object in allObjects {
            object.readFailedRelationshipsAgain()
            guard !object.isFault else {
                object.readAgain()
                continue
            }
            if object.hasChanges {
                merge(object)
            } else {
                object.keepReplacedState()
                object.turnIntoFault()
            }
            noteRefreshed(object)
        }
    }

    final func noteRefreshed(_ object: NSManagedObject) {
        object.forgetFetchedValues()
        guard object._state.isDisjoint(with: [.eventRefreshed, .inserted]) else { return }
        changeLists.addToEvent(refreshed: object)
        noteTurn()
    }

    /// Puts an object's unsaved changes on top of fresh values.
    final func merge(_ object: NSManagedObject) {
        // For a deleted object only the pending deletion counts.
        guard object._state.isDisjoint(with: [.inserted, .deleted]), let fresh = freshRow(of: object) else { return }
        if object._state.contains(.unread) { object.takeAfterFailure(fresh) } else { merge(object, onto: fresh) }
    }

    /// The present row in the store, which will replace the object's; nil if there is none. A failure is remembered, so
    /// that no save uses older values.
    final func freshRow(of object: NSManagedObject) -> Row? {
        do {
            let fresh = try loadRow(of: object)
            reading.forget(object)
            return fresh
        } catch {
            reading.remember(error as? ReadingFailure ?? ReadingFailure(object, property: nil, error))
            return nil
        }
    }

    /// Gives a loaded object the store's present values. Its unsaved changes stay on top of them.
    final func refresh(_ object: NSManagedObject, with fresh: Row) {
        if object._state.contains(.unread) { return object.takeAfterFailure(fresh) }
        reading.forget(object)
        guard !object.isFault, object._state.isDisjoint(with: [.inserted, .deleted, .deletedElsewhere]) else { return }
        guard fresh.version != object.savedVersion else {
            // The objects that point at this one may have changed nevertheless.
            for relationship in object.layout.relationships where relationship.isToMany {
                object.toManyIfKnown(relationship)?.rebase()
            }
            return
        }
        if object.hasChanges {
            merge(object, onto: fresh)
        } else {
            object.keepReplacedState()
            object.turnIntoFault()
            object.row = fresh
        }
        noteRefreshed(object)
    }

    private final func merge(_ object: NSManagedObject, onto fresh: Row) {
        guard fresh.version == (object.snapshot ?? object.row)?.version else {
            object.rebase(onto: fresh, keeping: object.changedSlots(persistentOnly: true), as: .refresh)
            return
        }
        // The object was not saved by others, so its changes and the other sides of its relationships stay as they are.
        let changed = object.changedSlots(persistentOnly: false)
        let draft = fresh.makeDraft()
        if let row = object.row {
            for slot in object.layout.slots.indices
            where changed.contains(slot) || object.layout.slots[slot].attribute?.isTransient == true {
                guard object.layout.kind(slot) != .toMany else { continue }
                draft.copySlot(slot, from: row.slots)
            }
        }
        object.keepReplacedState()
        object.snapshot = fresh
        object.row = draft
        object._slots = draft.slots
        object._state.insert(.draft)
        // A property that was set to the value it had no longer counts as changed.
        object.clearChangedMask()
        for slot in changed { object.markChanged(slot) }
        for relationship in object.layout.relationships where !changed.contains(relationship.slot) {
            object.links?[relationship.index] = nil
        }
        object.awake(fromSnapshotEvents: .refresh)
    }

    /// Reports that the objects of a removed store can no longer be read.
    final func invalidateObjects(of store: StoreReference) {
        guard queue.allowsAccess else { return queue.async { [reference] in reference.context?.tellOfInvalidObjects(of: store) } }
        queue.sync { tellOfInvalidObjects(of: store) }
    }

    private final func tellOfInvalidObjects(of store: StoreReference) {
        let objects = uniquing.registries(at: store.index).map { $0.store === store ? $0.objects : [] } ?? []
        guard !objects.isEmpty else { return }
        NotificationCenter.default.post(
            name: NotificationInterest.objectsDidChange.name, object: self, userInfo: [NSInvalidatedObjectsKey: Set(objects)])
        let round = _ChangeBuckets.Objects(invalidated: ContiguousArray(objects))
        tell(roundObservers, round, ownSource, RoundPast(self, saved: [:]))
    }

    /// Forgets all objects and all unsaved changes. Objects still held elsewhere must no longer be used.
    ///
    /// Posts `NSManagedObjectContextObjectsDidChange` with `NSInvalidatedAllObjectsKey` if the context knew any object.
    public final func reset() {
        beginMutation()
        defer { endMutation() }
        finishTelling()
        for past in telling.rounds { past.keep() }
        let objects = allObjects
        let ids = objects.map(\.objectID)
        changeLists = ChangeLists()
        forgetSteps()
        event.forgetAll()
        uniquing.releaseAll()
        fetches.forgetFound()
        merging.forgetOthers()
        saving.forgetAssignedStores()
        reading.removeAll()
        advanceQueryGeneration()
        for object in objects {
            object.tellTrackersOfAll()
            object.endTracking()
            object._state = .gone
            object._slots = nil
            object.row = nil
            object.snapshot = nil
            object.clearLinks()
        }
        uniquing.abandonAll()
        if !stackPlace.hasChildren { shared.permanentPlaces.removeAll() }
        guard !ids.isEmpty else { return }
        defer {
            // Observers of saves are not told.
            let others = roundObservers.filter { !$0._contextWasReset() }
            let round = _ChangeBuckets.Objects(invalidated: ContiguousArray(objects))
            if !others.isEmpty { tell(others, round, ownSource, RoundPast(self, saved: [:])) }
        }
        NotificationCenter.default.post(
            name: NotificationInterest.objectsDidChange.name, object: self, userInfo: [NSInvalidatedAllObjectsKey: ids])
    }
}

extension NSManagedObject {
    /// Whether the object was saved in a store that the coordinator no longer has.
    package final var isOfRemovedStore: Bool { registry.store.map { $0.store == nil } ?? false }

    /// Makes a fault read the store when it fires, and not use the values that came with a fetch. Its relationships are
    /// read again, too.
    fileprivate final func readAgain() {
        forgetFetchedValues()
        guard _state.isDisjoint(with: [.inserted, .deleted]) else { return }
        keepReplacedState()
        if _state.contains(.updated) { return readMembersAgain() }
        row = nil
        clearLinks()
    }
}
