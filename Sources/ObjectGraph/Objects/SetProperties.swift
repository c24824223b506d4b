import Storage

/// Which properties of a new object were set at one moment, and the values that it had. For the code that `@Entity` generates.
public struct _SetProperties {
    let slots: SlotMask
    let row: Row
}

extension NSManagedObject {
    /// Which properties were set so far.
    public final var _setProperties: _SetProperties {
        let (runtime, entity) = (registry.runtime, layout.index)
        // Initial values that are computed are the object's own.
        let own = runtime.initialValues[entity] == nil ? nil : row?.makeDraft()
        return _SetProperties(slots: markedSlots, row: own ?? runtime.templates[entity])
    }

    /// Takes back that properties were set which have the value that they had then, those aside that were set already.
    public final func _forgetDefaults(since earlier: _SetProperties) {
        guard let row else { return }
        for slot in markedSlots where !earlier.slots.contains(slot) && layout.slots[slot].attribute != nil {
            if !differs(slot, earlier.row, row) { unmark(slot) }
        }
    }
}
