import DataModel

/// The results of recent fetches without values. When a value of one of the objects is read, the next ones are loaded
/// with it.
///
/// Confined to the context's queue.
struct FaultBatches {
    private final class Group {
        let keys: ContiguousArray<Int64>
        let store: StoreReference?
        let root: Int
        /// The number of objects that are loaded at once.
        let size: Int
        /// The position of the next expected fault. Objects are read in order in most cases.
        var next = 0
        lazy var positions = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

        init(_ keys: ContiguousArray<Int64>, _ store: StoreReference?, _ root: Int, _ size: Int) {
            self.keys = keys
            self.size = size
            self.store = store
            self.root = root
        }
    }

    /// The number of objects that are loaded at once if the fetch does not say it.
    static let size = 100
    private static let remembered = 8
    private var groups: [Group] = []

    mutating func add(_ keys: ContiguousArray<Int64>, store: StoreReference?, root: Int, size: Int) {
        guard keys.count > 1 else { return }
        if groups.count == Self.remembered { groups.removeFirst() }
        groups.append(Group(keys, store, root, size))
    }

    /// The key and the keys that follow it in the latest fetch that found it.
    func siblings(of key: Int64, store: StoreReference?, root: Int) -> ArraySlice<Int64> {
        for group in groups.reversed() where group.root == root && group.store === store {
            let isNext = group.next < group.keys.count && group.keys[group.next] == key
            guard let start = isNext ? group.next : group.positions[key] else { continue }
            let end = min(group.keys.count, start + group.size)
            group.next = end
            return ArraySlice(group.keys[start..<end])
        }
        return []
    }

    mutating func removeAll() { groups.removeAll() }
}
