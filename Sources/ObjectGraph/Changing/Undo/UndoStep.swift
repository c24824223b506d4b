import Storage

/// What takes one event back.
final class UndoStep {
    /// Objects that came, and that go again.
    var inserted: ContiguousArray<NSManagedObject> = []
    /// Objects that went, and that come back.
    var deleted: ContiguousArray<Deletion> = []
    /// Objects whose values changed.
    var updated: ContiguousArray<Update> = []
    /// What happened to relationships, in its order.
    var links: ContiguousArray<LinkChange> = []

    struct Deletion {
        let object: NSManagedObject
        /// Whether no store had the object yet.
        let wasNew: Bool
        /// The relationships' destinations, by the index in `EntityLayout.relationships`; nil where they were not known. An object that leaves its context loses its own.
        let destinations: [[NSManagedObject]?]
    }

    struct Update {
        let object: NSManagedObject
        /// The values before, and which of them differ from those after. Only these are set back: others may have been merged since.
        let row: Row
        let slots: SlotMask
    }

    var isEmpty: Bool { inserted.isEmpty && deleted.isEmpty && updated.isEmpty && links.isEmpty }
}
