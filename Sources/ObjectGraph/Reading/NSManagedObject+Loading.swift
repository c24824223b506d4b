import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Loads the object's values, or throws the reason why they can't be read; an accessor would stop the program. Not
    /// in Apple's framework.
    ///
    /// ```swift
    /// try movie.load()
    /// show(movie.title)
    /// ```
    ///
    /// Loaded values stay as they are. Values that could not be read before are tried again. Call it on the context's
    /// queue.
    ///
    /// - Throws: ``ReadingFailure``; 133000 (`NSManagedObjectReferentialIntegrityError`) if the store no longer has the
    ///   row, or if the object was reset or its context is gone. The object stays a fault then.
    public final func load() throws {
        guard let context else {
            if isPlaceholder {
                throw NSError.coreData(
                    NSManagedObjectReferentialIntegrityError, "\(objectID) stands for an object that could not be read")
            }
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
    private final var unreadRelationships: [_ToManyObjects] {
        guard links != nil else { return [] }
        return layout.relationships.compactMap { relationship in
            guard let members = toManyIfKnown(relationship), members.isUnread else { return nil }
            return members
        }
    }

    /// Has relationships that could not be read tried again when they are read next.
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

    /// The slots of an object that can't be read: all are nil, until it is read again.
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

    /// Turns an object into a fault again if it could not be read and was not changed since.
    private final func forgetFailedReading() {
        guard _state.contains(.unread), _state.isDisjoint(with: [.updated, .draft]) else { return }
        _state.remove(.unread)
        _slots = nil
        row = nil
    }

    /// Passes the failure to the collector, if there is one: this object gives no values of its own.
    final func noteUnreadReading() {
        guard let context, context.reading.isCollecting, let failure = context.reading.failure(of: self) else { return }
        context.note(failure) {}
    }

    /// Gives the store's values to an object that could not be read. Values that were set meanwhile are dropped,
    /// because they were set on values that are not the object's own. Members that were added or removed stay so.
    final func takeAfterFailure(_ fresh: Row) {
        guard let context else { return }
        _state.remove(.unread)
        context.reading.forget(self)
        if !context.reading.placeholders.isEmpty {
            for slot in layout.slots.indices {
                context.reading.placeholders[.init(owner: ObjectIdentifier(self), slot: slot)] = nil
            }
        }
        tellTrackersOfAll()
        if _state.contains(.updated) {
            dropToOneChanges(except: SlotMask())
            context.forgetUndo(of: self)
            if !rebase(onto: fresh, keeping: SlotMask(), as: .refresh) {
                becomeUnchanged(fresh)
                context.changeLists.noteStaleEntry()
            }
        } else {
            _slots = nil
            row = fresh
            snapshot = nil
            if !_state.contains(.deleted) { clearLinks() }
            clearChangedMask()
            _state.subtract([.draft, .writable])
        }
        if !context.shared.observers.isEmpty { context.event.noteQuietlyChanged(self, isKnown: true) }
        context.noteRefreshed(self)
    }

    // MARK: Neutral values

    /// Whether an accessor gives a neutral value in place of a missing one: because the object could not be read, or
    /// because the property can't hold the store's value and failures are remembered. For a value that the program has
    /// not set, the answer is false.
    ///
    /// - Parameter error: The reason why the value can't be used.
    package final func givesNeutralValue(atSlot slot: Int, _ error: @autoclosure () -> any Error) -> Bool {
        if _state.contains(.unread) { return true }
        guard let context, !_state.contains(.inserted), !markedSlots.contains(slot),
            context.readingFailurePolicy == .record || context.reading.isCollecting
        else { return false }
        context.note(ReadingFailure(self, property: layout.slots[slot].name, error())) {}
        return true
    }

    /// Whether the values could not be read.
    package final var isUnread: Bool { _state.contains(.unread) }

    /// The value that the model gives to new objects, for a reader of slots; nil if the model has none.
    package final func readingDefaults<Value>(_ read: (NSManagedObject) -> Value?) -> Value? {
        let object = NSManagedObject.placeholder(
            layout, registry.runtime, row: registry.runtime.templates[layout.index].makeDraft())
        return read(object)
    }

    /// The object that stands for the destination of a required relationship. It has no context and no values, and
    /// can't be related to others.
    package final func placeholder(atSlot slot: Int) -> NSManagedObject? {
        let place = ReadingState.Placeholder(owner: ObjectIdentifier(self), slot: slot)
        if let known = context?.reading.placeholders[place] { return known }
        let model = registry.runtime.layout
        guard let relationship = layout.relationship(slot: slot),
            let entity = model.family(of: relationship.destination).lazy.map({ model.entities[$0] }).first(where: {
                !$0.isAbstract
            })
        else { return nil }
        let made = NSManagedObject.placeholder(entity, registry.runtime, row: Row.emptyDraft(entity))
        context?.reading.placeholders[place] = made
        return made
    }

    private static func placeholder(_ entity: EntityLayout, _ runtime: ModelRuntime, row: Row) -> NSManagedObject {
        let made = runtime.classes[entity.index].init(entity: entity.description, insertInto: nil)
        made.row = row
        made._slots = row.slots
        made._state.formUnion([.unread, .draft])
        return made
    }

    final var isPlaceholder: Bool { _state.contains(.unread) && registry.record.pointee.isDetached }
}
