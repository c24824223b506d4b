import Synchronization

/// The present places of objects that were known by a temporary key, for code that still uses this key, and for
/// children.
///
/// The entries are confined to the context's queue. The counts may be read on every thread.
final class PermanentPlaces {
    private var places: [Int64: (store: StoreReference, key: Int64)] = [:]
    /// The number of updates for children.
    private let count = Atomic<Int>(0)
    /// The count of the parent's places at the last look.
    private let countOfParent = Atomic<Int>(0)

    subscript(temporaryKey: Int64) -> (store: StoreReference, key: Int64)? { places[temporaryKey] }

    func set(_ temporaryKey: Int64, _ store: StoreReference, _ key: Int64) {
        places[temporaryKey] = (store, key)
        count.add(1, ordering: .relaxed)
    }

    func forget(_ temporaryKey: Int64) { places[temporaryKey] = nil }

    func removeAll() { places.removeAll() }

    func isUpToDate(with parent: PermanentPlaces) -> Bool {
        parent.count.load(ordering: .relaxed) == countOfParent.load(ordering: .relaxed)
    }

    /// Notes that this context knows all that the parent knows. This is an update for its own children.
    func catchUp(with parent: PermanentPlaces) {
        countOfParent.store(parent.count.load(ordering: .relaxed), ordering: .relaxed)
        count.add(1, ordering: .relaxed)
    }
}
