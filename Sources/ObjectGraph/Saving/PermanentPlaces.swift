import Synchronization

/// Where objects are now that were known by a temporary key: to those who still ask for it, and to children.
///
/// The entries are confined to the context's queue. The counts may be read on every thread.
final class PermanentPlaces {
    private var places: [Int64: (store: StoreReference, key: Int64)] = [:]
    /// How often there was news for children.
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

    /// Notes that everything is known that the parent knows: which is news for the children of this context in turn.
    func catchUp(with parent: PermanentPlaces) {
        countOfParent.store(parent.count.load(ordering: .relaxed), ordering: .relaxed)
        count.add(1, ordering: .relaxed)
    }
}
