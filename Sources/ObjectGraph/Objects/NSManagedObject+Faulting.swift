import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Loads the object's values: from the row it already has, else from the store.
    @usableFromInline @inline(never) final func fireFault() -> UnsafeMutablePointer<UInt64> {
        context?.checkQueue(self)
        if row != nil { context?.dropStaleRows() }
        if row == nil || hasStaleRow {
            let fresh = loadRow()
            if let fresh { takeRow(fresh) } else { row = nil }
        }
        guard var row else { return becomeEmpty() }
        if !layout.transientDefaultSlots.isEmpty, !_state.contains(.draft) {
            row = withTransientDefaults(row)
            self.row = row
        }
        _slots = row.slots
        // A new object was not fetched.
        guard !_state.contains(.inserted), !registry.record.pointee.isDetached else { return row.slots }
        _state.insert(.awakening)
        awakeFromFetch()
        _state.remove(.awakening)
        keepAwakeningDraft()
        return _slots ?? row.slots
    }

    /// Gives a fault a row. Destinations that were prefetched for an older one count no more.
    final func takeRow(_ fresh: Row) {
        if let row, row.version != fresh.version { forgetPrefetchedDestinations() }
        row = fresh
    }

    /// A fault keeps destinations of to-one relationships only if they were prefetched.
    final func forgetPrefetchedDestinations() {
        guard let links else { return }
        for relationship in layout.relationships where !relationship.isToMany { links[relationship.index] = nil }
    }

    /// Whether the row that came with a fetch is not to be used any more; see `stalenessInterval`.
    private final var hasStaleRow: Bool {
        guard let context, context.merging.stalenessInterval >= 0, !context.merging.isFetching else { return false }
        return key > 0 && context.parent == nil && _state.isDisjoint(with: [.draft, .inserted, .deleted])
    }

    /// Transient attributes of a fetched object start with their default values.
    private final func withTransientDefaults(_ row: Row) -> Row {
        let completed = row.makeDraft()
        let template = registry.runtime.templates[layout.index]
        for slot in layout.transientDefaultSlots { completed.copySlot(slot, from: template.slots) }
        return completed
    }

    private final func loadRow() -> Row? {
        if registry.record.pointee.isDetached {
            guard !_state.contains(.gone) else {
                fatalError(
                    "The values of \(type(of: self)) \(objectID) can't be loaded: its deletion was saved, or its context was reset. "
                        + "Copy what you need before.")
            }
            return registry.runtime.templates[layout.index].makeDraft()
        }
        guard let context else {
            fatalError("The values of \(type(of: self)) \(objectID) can't be loaded: its context is gone or was reset")
        }
        if _state.contains(.inserted) { return registry.runtime.templates[layout.index].makeDraft() }
        return context.loadRow(of: self)
    }

    /// A fault whose row is gone: all properties read nil, and the object counts as deleted (`shouldDeleteInaccessibleFaults`).
    private final func becomeEmpty() -> UnsafeMutablePointer<UInt64> {
        guard let context, context.shouldHandleInaccessibleFault(self, for: objectID, triggeredByProperty: nil) else {
            fatalError("The store has no row any more for \(type(of: self)) \(objectID) (object inaccessible)")
        }
        let empty = Row.emptyDraft(layout)
        row = empty
        _slots = empty.slots
        context.noteInaccessible(self)
        return empty.slots
    }

    /// What `awakeFromFetch` set belongs to the values as fetched.
    private final func keepAwakeningDraft() {
        guard _state.contains(.draft), snapshot != nil, !hasChanges else { return }
        snapshot = nil
        _state.subtract([.draft, .writable])
        clearChangedMask()
    }

    final func clearChangedMask() {
        _changed = 0
        if !changedBeyond64.isEmpty { changedBeyond64.removeAll() }
    }

    /// Drops values and relationships. Pending changes must be dealt with before.
    final func turnIntoFault(keepingRow: Bool = false) {
        let wasLoaded = _slots != nil
        if wasLoaded { willTurnIntoFault() }
        forgetFetchedValues()
        _slots = nil
        if !keepingRow { row = nil }
        snapshot = nil
        clearLinks()
        clearChangedMask()
        _state.subtract([.draft, .writable])
        if wasLoaded { didTurnIntoFault() }
    }

    /// Whether reading a relationship would need the store: true for a to-many that was not read yet. Fires nothing.
    ///
    /// - Parameter key: The relationship's name.
    public final func hasFault(forRelationshipNamed key: String) -> Bool {
        guard let relationship = layout.relationship(named: key) else { return false }
        guard let link = links?[relationship.index] else {
            if _state.contains(.inserted), relationship.isToMany { return false }
            if relationship.isToMany { return true }
            return _slots == nil && !_state.contains(.inserted) && row?.isNil(relationship.slot) != true
        }
        return (link as? ToManyObjects).map { !$0.isLoaded } ?? false
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
