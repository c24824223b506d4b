import Synchronization

/// What keys have found, for those that are used with objects of several entities in turn: the keys themselves remember one.
enum FoundSlots {
    struct Key: Hashable {
        let layoutID: UInt32
        let name: String
        let type: ObjectIdentifier
        let form: _ManagedKey.Form
    }

    /// More than the properties of the models of one program; models that come and go leave theirs behind.
    private static let greatestCount = 10_000
    private static let slots = Mutex<[Key: UInt64]>([:])

    /// See `_ManagedKey.cache`.
    static func slot(for key: Key) -> UInt64? { slots.withLock { $0[key] } }

    static func remember(_ slot: UInt64, for key: Key) {
        slots.withLock { slots in
            if slots.count >= greatestCount { slots.removeAll() }
            slots[key] = slot
        }
    }
}
