import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// The persistent properties whose value differs from what was last fetched or saved, with their current values;
    /// nil as `NSNull`.
    ///
    /// For a new object: the properties that were set since it was inserted. Never fires a fault.
    public final func changedValues() -> [String: Any] {
        guard hasChanges else { return [:] }
        var values: [String: Any] = [:]
        let changed = changedSlots(persistentOnly: true)
        for (index, slot) in layout.slots.enumerated() where changed.contains(index) && slot.kind != .entityIndex {
            // The members of a to-many relationship can change through their inverses while the object is a fault.
            values[slot.name] = (slot.kind == .toMany ? readSlot(index) : readPrimitive(slot.name)) ?? NSNull()
        }
        return values
    }

    /// Values as last fetched or saved; nil as `NSNull`. An object that was never saved has none: the dictionary is empty.
    ///
    /// - Parameter keys: Names of properties; nil for all persistent ones that are known without asking the store.
    public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
        guard !_state.contains(.inserted), registry.store != nil || context?.parent != nil else { return [:] }
        _ = _loadedSlots
        var values: [String: Any] = [:]
        for name in keys ?? Array(layout.slotByName.keys) {
            guard let slot = layout.slotByName[name], layout.slots[slot].kind != .vacant else { continue }
            let relationship = layout.relationship(slot: slot)
            if keys == nil {
                guard layout.slots[slot].isPersistent || relationship?.isToMany == true else { continue }
                if let relationship, relationship.isToMany, hasFault(forRelationshipNamed: relationship.name) { continue }
            }
            values[name] = committedValue(slot, relationship) ?? NSNull()
        }
        return values
    }

    private final func committedValue(_ slot: Int, _ relationship: RelationshipLayout?) -> Any? {
        guard let committed = snapshot ?? row else { return nil }
        guard let relationship else { return SlotCoding.value(in: committed, slot: slot, of: layout) }
        let objects = committedDestinations(relationship)
        guard relationship.isToMany else { return objects.first }
        return relationship.isOrdered ? NSOrderedSet(array: objects) : NSSet(array: objects)
    }

    /// The destinations of a relationship as last fetched or saved.
    final func committedDestinations(_ relationship: RelationshipLayout) -> [NSManagedObject] {
        if relationship.isToMany { return _state.contains(.inserted) ? [] : toMany(relationship).committedObjects }
        guard !_state.contains(.inserted), let committed = snapshot ?? row, !committed.isNil(relationship.slot) else { return [] }
        let key = committed.integer(relationship.slot)
        if let current = toOne(relationship), current.key == key { return [current] }
        let entity = relationship.entitySlot.flatMap { committed.isNil($0) ? nil : Int(committed.integer($0)) }
        return context?.destination(of: self, entity: entity ?? relationship.destination, key: key).map { [$0] } ?? []
    }

    /// The slots set since the last save, as they were noted.
    final var markedSlots: SlotMask {
        var mask = SlotMask()
        mask.insert(word: _changed, at: 0)
        for (index, word) in changedBeyond64.enumerated() { mask.insert(word: word, at: index + 1) }
        return mask
    }

    /// The slots whose value differs.
    final func changedSlots(persistentOnly: Bool) -> SlotMask {
        var result = SlotMask()
        let marked = markedSlots
        guard !marked.isEmpty, let row else {
            for relationship in layout.relationships where relationship.isToMany && marked.contains(relationship.slot) {
                if isChanged(relationship) { result.insert(relationship.slot) }
            }
            return result
        }
        for slot in marked {
            if let relationship = layout.relationship(slot: slot), relationship.isToMany {
                if isChanged(relationship) { result.insert(slot) }
                continue
            }
            if persistentOnly, !layout.slots[slot].isPersistent { continue }
            if let snapshot, !differs(slot, snapshot, row) { continue }
            result.insert(slot)
        }
        return result
    }

    /// Whether a slot has different values in two rows of the object. All reports of changes use this comparison.
    final func differs(_ slot: Int, _ old: Row, _ new: Row) -> Bool {
        let kind = layout.kind(slot)
        if Row.isEqual(old.slots, new.slots, slot, kind) { return false }
        guard case .transformable = kind else { return true }
        return !isEqualTransformable(old, new, slot)
    }

    /// Makes a property count as not set.
    final func unmark(_ slot: Int) {
        if slot < 64 { _changed &= ~(1 << UInt64(slot)) } else { changedBeyond64[slot >> 6 - 1] &= ~(1 << UInt64(slot & 63)) }
    }

    /// Whether a transformable is the same value as the one that was fetched, which may still be bytes.
    private final func isEqualTransformable(_ old: Row, _ new: Row, _ slot: Int) -> Bool {
        guard let new = SlotCoding.value(in: new, slot: slot, of: layout) as? NSObject,
            let old = SlotCoding.value(in: old, slot: slot, of: layout) as? NSObject
        else { return false }
        return old.isEqual(new)
    }

    private final func isChanged(_ relationship: RelationshipLayout) -> Bool {
        guard relationship.storage != .transient, let link = links?[relationship.index] else { return false }
        return unsafeDowncast(link, to: _ToManyObjects.self).differs
    }
}
