import Storage

/// The record that undoes one event.
final class UndoStep {
    /// Objects that were inserted, which the undo removes.
    var inserted: ContiguousArray<NSManagedObject> = []
    /// Objects that were deleted, which the undo restores.
    var deleted: ContiguousArray<Deletion> = []
    /// Objects whose values changed.
    var updated: ContiguousArray<Update> = []
    /// The changes of relationships, in their order.
    var links: ContiguousArray<LinkChange> = []

    struct Deletion {
        let object: NSManagedObject
        /// Whether the object was not in a store yet.
        let wasNew: Bool
        /// The relationships' destinations, by the index in `EntityLayout.relationships`; nil if they were not known.
        /// They are kept here, because an object that leaves its context loses them.
        let destinations: [[NSManagedObject]?]
    }

    struct Update {
        let object: NSManagedObject
        /// The values before, and the slots that differ afterwards. Only these are set back, because others may have
        /// been merged since.
        let row: Row
        let slots: SlotMask
    }

    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updated.isEmpty && links.isEmpty }
}
