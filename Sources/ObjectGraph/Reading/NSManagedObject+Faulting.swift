import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Loads the object's values for callers that can't throw.
    @usableFromInline @inline(never) final func fireFault() -> UnsafeMutablePointer<UInt64> {
        if ConcurrencyDebug.isOn { context?.checkQueue(self) }
        if row == nil, let reason = reasonForNoValues { fatalError(reason) }
        do {
            return try fire() ?? becomeEmpty()
        } catch {
            return isInaccessible ? becomeEmpty() : becomeUnread(error)
        }
    }

    /// The same for one property. The transient attributes of an object that was reset can be read, too.
    @usableFromInline @inline(never) final func fireFault(reading slot: Int) -> UnsafeMutablePointer<UInt64> {
        if row == nil, context == nil, _state.contains(.gone), !layout.slots[slot].isPersistent,
            layout.slots[slot].attribute != nil
        {
            return registry.runtime.templates[layout.index].slots
        }
        return fireFault()
    }

    /// Whether the object counts as an object without row, because the program has removed its store, as with Apple's
    /// framework.
    final var isInaccessible: Bool {
        guard isOfRemovedStore, let context else { return false }
        return context.readingFailurePolicy == .stop && !context.reading.isCollecting
    }

    /// Loads the object's values: from the row it already has, else from the store.
    ///
    /// - Returns: nil if the row is gone.
    /// - Throws: `ReadingFailure`. The object is a fault then, without a row.
    final func fire() throws -> UnsafeMutablePointer<UInt64>? {
        if row == nil || dropsStaleRow() {
            if let fresh = try loadRow() {
                takeRow(fresh)
            } else {
                row = nil
                context?.reading.forget(self)
            }
        }
        guard var row else { return nil }
        if !layout.transientDefaultSlots.isEmpty, !_state.contains(.draft) {
            row = withTransientDefaults(row)
            self.row = row
        }
        _slots = row.slots
        // A new object does not come from a fetch.
        guard !_state.contains(.inserted), !registry.record.pointee.isDetached else { return row.slots }
        _state.insert(.awakening)
        awakeFromFetch()
        _state.remove(.awakening)
        keepAwakeningDraft()
        return _slots ?? row.slots
    }

    /// Gives a row to a fault. Destinations that were prefetched for an older row are dropped.
    final func takeRow(_ fresh: Row) {
        context?.reading.forget(self)
        if links != nil, row?.version != fresh.version {
            if row != nil { forgetPrefetchedDestinations() }
            _state.insert(.hasOlderMembers)
        }
        row = fresh
    }

    /// A fault keeps destinations of to-one relationships only if they were prefetched.
    final func forgetPrefetchedDestinations() {
        guard let links else { return }
        for relationship in layout.relationships where !relationship.isToMany { links[relationship.index] = nil }
    }

    /// Whether the row that came with a fetch must not be used: because newer ones were saved, or because it is too
    /// old; see `stalenessInterval`.
    private final func dropsStaleRow() -> Bool {
        // The context is not retained, because this is done for every object that is fetched.
        registry.record.pointee.context?._withUnsafeGuaranteedRef { context in
            context.dropStaleRows()
            guard row != nil else { return true }
            guard context.moment.stalenessInterval >= 0, !context.fetches.isRunning else { return false }
            return key > 0 && context.parent == nil && _state.isDisjoint(with: [.draft, .inserted, .deleted])
        } ?? false
    }

    /// Transient attributes of a fetched object start with their default values.
    private final func withTransientDefaults(_ row: Row) -> Row {
        let completed = row.makeDraft()
        let template = registry.runtime.templates[layout.index]
        for slot in layout.transientDefaultSlots { completed.copySlot(slot, from: template.slots) }
        return completed
    }

    /// The reason why a fault can never get values: a mistake in the program. Nil if there is none.
    final var reasonForNoValues: String? {
        guard row == nil, context == nil else { return nil }
        let subject = "The values of \(type(of: self)) \(objectID) can't be loaded"
        if registry.record.pointee.isDetached {
            return _state.contains(.gone) ? "\(subject): its deletion was saved. Copy what you need before." : nil
        }
        return _state.contains(.gone)
            ? "\(subject): its context was reset. Copy what you need before."
            : "\(subject): \(Self.adviceForGoneContext)"
    }

    /// The advice in messages about an object whose context is gone.
    package static var adviceForGoneContext: String {
        "its context is gone; keep the container, and have background tasks return IDs or copies of values in place of objects"
    }

    private final func loadRow() throws -> Row? {
        guard let context, !_state.contains(.inserted) else { return registry.runtime.templates[layout.index].makeDraft() }
        return try context.loadRow(of: self)
    }

    /// A fault whose row is gone: all properties read nil, and the object counts as deleted (`shouldDeleteInaccessibleFaults`).
    private final func becomeEmpty() -> UnsafeMutablePointer<UInt64> {
        guard let context, context.shouldHandleInaccessibleFault(self, for: objectID, triggeredByProperty: nil) else {
            fatalError("The store no longer has a row for \(type(of: self)) \(objectID) (object inaccessible)")
        }
        let empty = Row.emptyDraft(layout)
        row = empty
        _slots = empty.slots
        context.noteInaccessible(self)
        return empty.slots
    }

    /// Values that `awakeFromFetch` set belong to the values as fetched.
    private final func keepAwakeningDraft() {
        guard _state.contains(.draft), snapshot != nil, !hasChanges else { return }
        snapshot = nil
        _state.subtract([.draft, .writable])
        clearChangedMask()
    }

    final func clearChangedMask() {
        if _state.contains(.hasUnfitValues) { UnfitValues.forgetAll(self) }
        _changed = 0
        if !changedBeyond64.isEmpty { changedBeyond64.removeAll() }
    }

    /// Drops values and relationships. Pending changes must be handled before.
    final func turnIntoFault(keepingRow: Bool = false) {
        let wasLoaded = _slots != nil
        if wasLoaded { willTurnIntoFault() }
        forgetFetchedValues()
        _slots = nil
        if !keepingRow { row = nil }
        snapshot = nil
        clearLinks()
        clearChangedMask()
        _state.subtract([.draft, .writable, .unread])
        if wasLoaded { didTurnIntoFault() }
    }

    /// Whether reading a relationship would need the store: true for a to-many relationship that was not read yet.
    /// Never fires a fault.
    ///
    /// - Parameter key: The relationship's name.
    public final func hasFault(forRelationshipNamed key: String) -> Bool {
        guard let relationship = layout.relationship(named: key) else { return false }
        guard let link = links?[relationship.index] else {
            if _state.contains(.inserted), relationship.isToMany { return false }
            if relationship.isToMany { return true }
            return _slots == nil && !_state.contains(.inserted) && row?.isNil(relationship.slot) != true
        }
        return (link as? _ToManyObjects).map { !$0.isLoaded } ?? false
    }

    /// The IDs of a relationship's destinations, in order if it is ordered.
    ///
    /// - Parameter key: The relationship's name.
    public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        guard let relationship = layout.relationship(named: key) else { return [] }
        if relationship.isToMany { return toMany(relationship).objects.map(\.objectID) }
        return toOne(relationship).map { [$0.objectID] } ?? []
    }
}
