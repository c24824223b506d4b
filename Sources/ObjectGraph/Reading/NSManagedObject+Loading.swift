import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Loads the object's values, or tells why they can't be read, where an accessor would stop the program. Not in Apple's framework.
    ///
    /// ```swift
    /// try movie.load()
    /// show(movie.title)
    /// ```
    ///
    /// Loaded values stay as they are; what could not be read before is tried again. Call it on the context's queue.
    ///
    /// - Throws: ``ReadingFailure``; 133000 (`NSManagedObjectReferentialIntegrityError`) if the store has no such row any more, or if the object was reset or its context
    ///   is gone. The object stays a fault then.
    public final func load() throws {
        guard let context else {
            guard isFault, let reason = reasonForNoValues else { return }
            throw NSError.coreData(NSManagedObjectReferentialIntegrityError, reason, [NSAffectedObjectsErrorKey: [objectID]])
        }
        context.checkQueue(self)
        if isFault {
            guard try fire() != nil else { throw context.noRow(objectID) }
        } else if _state.contains(.unread) || context.reading.failure(of: self) != nil {
            try readAgain(in: context)
        }
        try requireExternalValues()
        guard !context.reading.isEmpty else { return }
        for members in unreadRelationships { _ = try members.loadedObjects() }
    }

    /// The to-many relationships that could not be read.
    private final var unreadRelationships: [ToManyObjects] {
        guard links != nil else { return [] }
        return layout.relationships.compactMap { relationship in
            guard let members = links?[relationship.index] as? ToManyObjects, members.isUnread else { return nil }
            return members
        }
    }

    /// Has relationships that could not be read tried again when they are asked for next.
    final func readFailedRelationshipsAgain() {
        guard let context, !context.reading.isEmpty else { return }
        for members in unreadRelationships { members.rebase() }
    }

    private final func readAgain(in context: NSManagedObjectContext) throws {
        guard let fresh = try context.loadRow(of: self) else {
            context.reading.forget(self)
            throw context.noRow(objectID)
        }
        if _state.contains(.unread) { takeAfterFailure(fresh) } else { context.refresh(self, with: fresh) }
        if isFault { _ = try fire() }
        context.processPendingChanges()
    }

    // MARK: Failing

    /// What an accessor reads of an object that can't be read: nil everywhere, until it is read again.
    final func becomeUnread(_ error: any Error) -> Row.Slots {
        guard let context else { return registry.runtime.templates[layout.index].slots }
        let failure = error as? ReadingFailure ?? ReadingFailure(self, property: nil, error)
        context.note(failure) { [self] in forgetFailedReading() }
        if let slots = _slots { return slots }
        let empty = Row.emptyDraft(layout)
        for slot in layout.transientDefaultSlots { empty.copySlot(slot, from: registry.runtime.templates[layout.index].slots) }
        row = empty
        _slots = empty.slots
        _state.insert(.unread)
        return empty.slots
    }

    /// Makes an object that could not be read, and was not changed since, a fault again.
    private final func forgetFailedReading() {
        guard _state.contains(.unread), _state.isDisjoint(with: [.updated, .draft]) else { return }
        _state.remove(.unread)
        _slots = nil
        row = nil
    }

    /// Tells whoever collects failures that this object gives no values of its own.
    final func noteUnreadReading() {
        guard let context, context.reading.isCollecting, let failure = context.reading.failure(of: self) else { return }
        context.note(failure) {}
    }

    /// Gives an object that could not be read the values that the store has. What was set meanwhile was set on values that are not its own, so it is dropped;
    /// members that were added or removed stay so.
    final func takeAfterFailure(_ fresh: Row) {
        guard let context else { return }
        _state.remove(.unread)
        context.reading.forget(self)
        tellTrackersOfAll()
        if _state.contains(.updated) {
            dropToOneChanges(except: SlotMask())
            context.forgetUndo(of: self)
            if !rebase(onto: fresh, keeping: SlotMask(), as: .refresh) {
                becomeUnchanged(fresh)
                context.noteStaleEntry()
            }
        } else {
            _slots = nil
            row = fresh
            snapshot = nil
            if !_state.contains(.deleted) { clearLinks() }
            clearChangedMask()
            _state.subtract([.draft, .writable])
        }
        if !context.observers.isEmpty { context.merging.noteQuietlyChanged(self, isKnown: true) }
        context.noteRefreshed(self)
    }
}
