import DataModel
import Storage

/// The rows that a context has reported to its observers as new, both its own and merged ones, so that merging the same
/// save once more does not report them again.
///
/// The list is bounded: the oldest entries are forgotten. Confined to the context's queue.
struct ToldInsertions {
    private struct Place: Hashable {
        let store: Int
        let root: Int
        let key: Int64
    }

    static let greatestCount = 1 << 14
    private var places: Set<Place> = []
    /// A ring buffer, in the order of their coming.
    private var order: ContiguousArray<Place> = []
    private var next = 0

    private func place(of object: NSManagedObject) -> Place? {
        guard object.key > 0, let store = object.registry.store else { return nil }
        return Place(store: store.index, root: object.layout.root, key: object.key)
    }

    func contains(_ object: NSManagedObject) -> Bool { place(of: object).map(places.contains) ?? false }

    /// - Returns: false if it is known.
    mutating func add(_ object: NSManagedObject) -> Bool {
        guard let place = place(of: object) else { return true }
        guard places.insert(place).inserted else { return false }
        if order.count < Self.greatestCount {
            order.append(place)
        } else {
            places.remove(order[next])
            order[next] = place
            next = (next + 1) % order.count
        }
        return true
    }

    /// Deleted objects may come again.
    mutating func remove(_ objects: some Sequence<NSManagedObject>) {
        guard !places.isEmpty else { return }
        for object in objects { if let place = place(of: object) { places.remove(place) } }
    }
}
