import DataModel

/// The results of recent fetches without values: when one of the objects is asked for a value, the next ones are loaded with it.
///
/// Confined to the context's queue.
struct FaultBatches {
    private final class Batch {
        let keys: ContiguousArray<Int64>
        let store: StoreReference?
        let root: Int
        /// How many objects are loaded at once.
        let size: Int
        /// Where the next fault is expected: objects are mostly gone through in order.
        var next = 0
        lazy var positions = Dictionary(keys.enumerated().map { ($1, $0) }, uniquingKeysWith: { first, _ in first })

        init(_ keys: ContiguousArray<Int64>, _ store: StoreReference?, _ root: Int, _ size: Int) {
            self.keys = keys
            self.size = size
            self.store = store
            self.root = root
        }
    }

    /// How many objects are loaded at once where the fetch does not say it.
    static let size = 100
    private static let remembered = 8
    private var batches: [Batch] = []

    mutating func add(_ keys: ContiguousArray<Int64>, store: StoreReference?, root: Int, size: Int) {
        guard keys.count > 1 else { return }
        if batches.count == Self.remembered { batches.removeFirst() }
        batches.append(Batch(keys, store, root, size))
    }

    /// The key and those that follow it in the latest fetch that found it.
    func siblings(of key: Int64, store: StoreReference?, root: Int) -> ArraySlice<Int64> {
        for batch in batches.reversed() where batch.root == root && batch.store === store {
            let isNext = batch.next < batch.keys.count && batch.keys[batch.next] == key
            guard let start = isNext ? batch.next : batch.positions[key] else { continue }
            let end = min(batch.keys.count, start + batch.size)
            batch.next = end
            return ArraySlice(batch.keys[start..<end])
        }
        return []
    }

    mutating func removeAll() { batches.removeAll() }
}
