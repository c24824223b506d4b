import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// The persistent properties that changed since pending changes were last processed, with their values before; nil
    /// as `NSNull`.
    ///
    /// While `NSManagedObjectContextObjectsDidChange` is being posted, these are the changes that it reports. Otherwise
    /// the dictionary is empty once pending changes are processed. For a new object: the properties that were set since
    /// it was inserted, with the model's default values. Never fires a fault.
    public final func changedValuesForCurrentEvent() -> [String: Any] {
        guard let context, let before = EventState(of: self, in: context) else { return [:] }
        var values: [String: Any] = [:]
        for slot in markedSlots {
            if let relationship = layout.relationship(slot: slot) {
                guard relationship.slot == slot, let old = before.destinations(relationship) else { continue }
                values[relationship.name] = isInserted && before.wasClean ? NSNull() : relationship.value(of: old)
            } else if layout.slots[slot].isPersistent, let old = before.value(slot) {
                values[layout.slots[slot].name] = old
            }
        }
        return values
    }
}

extension NSManagedObject {
    /// Whether an updated object differs from what it was at the beginning of an event. It does not if its properties
    /// were only set to the values they had.
    ///
    /// - Parameter next: See `EventLog.image(of:next:)`; 0 for the first object of an event.
    final func isChanged(since log: EventLog, next: inout Int) -> Bool {
        if let slots = _slots {
            if let old = log.slots(of: self, at: next) {
                if differsAtFirstMark(old, slots) {
                    next += 1
                    return true
                }
            } else if log.hasNoImages, let old = snapshot?.slots, differsAtFirstMark(old, slots) {
                return true
            }
        }
        guard let image = log.image(of: self, next: &next) else { return !changedSlots(persistentOnly: false).isEmpty }
        if let row, let old = image.row ?? snapshot {
            let marked = markedSlots
            // Undone changes are not marked.
            let isDifferent =
                marked.isEmpty
                ? layout.slots.indices.contains { isAttributeOrToOne($0) && differs($0, old, row) }
                : marked.contains { isAttributeOrToOne($0) && differs($0, old, row) }
            if isDifferent { return true }
        }
        guard log.hasLinks(of: self), let context, let before = EventState(of: self, in: context) else { return false }
        return layout.relationships.contains { $0.isToMany && before.hasChanged($0) }
    }

    /// A quick test that finds most changed objects: it compares the first slot that was set. Nothing is retained.
    @inline(__always) private final func differsAtFirstMark(_ old: Row.Slots, _ new: Row.Slots) -> Bool {
        guard _changed != 0 else { return false }
        let slot = _changed.trailingZeroBitCount
        let kind = layout.kind(slot)
        // Bytes of a transformable value may differ although the value does not.
        if case .transformable = kind { return false }
        return isAttributeOrToOne(slot) && !Row.isEqual(old, new, slot, kind)
    }

    private final func isAttributeOrToOne(_ slot: Int) -> Bool {
        switch layout.kind(slot) {
        case .toMany, .vacant: false
        default: true
        }
    }
}

extension RelationshipLayout {
    /// Destinations as key-value coding gives them; `NSNull` for a to-one relationship without destination.
    fileprivate func value(of destinations: [NSManagedObject]) -> Any {
        guard isToMany else { return destinations.first ?? NSNull() }
        return isOrdered ? NSOrderedSet(array: destinations) : NSSet(array: destinations)
    }
}
