import Synchronization

/// Remembers which slots keys have found. A key itself remembers the slot for one entity only, so this serves keys that are used
/// with objects of several entities in turn.
enum FoundSlots {
    struct Key: Hashable {
        let layoutID: UInt32
        let name: String
        let type: ObjectIdentifier
        let form: _ManagedKey.Form
    }

    /// This is more than the models of one program have properties. If the program keeps making new models, the table is emptied
    /// at this size.
    private static let greatestCount = 10_000
    private static let slots = Mutex<[Key: UInt64]>([:])

    /// The slot in the form of `_ManagedKey.cache`.
    static func slot(for key: Key) -> UInt64? { slots.withLock { $0[key] } }

    static func remember(_ slot: UInt64, for key: Key) {
        slots.withLock { slots in
            if slots.count >= greatestCount { slots.removeAll() }
            slots[key] = slot
        }
    }
}
