import DataModel
import Storage

/// The keys that one store found for a fetch, in order.
struct FetchedKeys {
    let entity: EntityLayout
    private let store: NSPersistentStore
    private let keys: KeyPieces
    /// Empty if all objects are of the fetch's entity itself.
    private let entities: ContiguousArray<Int32>

    var count: Int { keys.count }

    /// Makes nil if the answer of one store is not the whole answer.
    init?(_ plan: FetchPlan) throws {
        if plan.includesPendingChanges { plan.context.propagatePendingDeletes() }
        guard plan.isStoresAnswer, plan.stores.count == 1,
            let request = try StoreQuery(plan, plan.stores[0]).requestForKeys(plan)
        else { return nil }
        entity = plan.entity
        store = plan.stores[0]
        let collector = CompactKeys(entity.index)
        do {
            try store.fetch(request, into: collector, in: plan.context.generationToRead, for: plan.context)
        } catch is QueryLimit {
            return nil
        }
        keys = collector.keys
        entities = collector.entities
    }

    func objects(_ range: Range<Int>, in context: NSManagedObjectContext) -> [NSManagedObject] {
        let registries = context.registries(store.reference)
        let root = context.runtime.layout.entities[entity.root]
        let consumer = ObjectConsumer(context, registries, .init(confinesFailures: true))
        do {
            try store.fetch(
                RowRequest(root, selection: .keys(range.map { keys[$0] })), into: consumer, in: context.generationToRead,
                for: context)
        } catch {
            // The objects are known. Each of them reports its failure when it is read.
        }
        let found = Dictionary(consumer.finish().map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        return range.map { index in
            let concrete = entities.isEmpty ? entity.index : Int(entities[index])
            return found[keys[index]] ?? context.object(store: store.reference, entity: concrete, key: keys[index])
        }
    }
}

/// Very many keys, in pieces: an array that grows would take three times its size for a moment. A piece keeps the distances
/// from its first key in four bytes each, unless one is too large for them.
private struct KeyPieces {
    private struct Piece {
        let first: Int64
        var distances: ContiguousArray<Int32> = []
        /// In place of the distances, if there are any.
        var keys: ContiguousArray<Int64> = []

        var count: Int { keys.isEmpty ? distances.count : keys.count }

        subscript(position: Int) -> Int64 { keys.isEmpty ? first &+ Int64(distances[position]) : keys[position] }

        mutating func append(_ new: Slice<UnsafeBufferPointer<Int64>>) {
            let first = first
            if keys.isEmpty, new.allSatisfy({ Int64(Int32(truncatingIfNeeded: $0 &- first)) == $0 &- first }) {
                distances.append(contentsOf: new.lazy.map { Int32(truncatingIfNeeded: $0 &- first) })
                return
            }
            if keys.isEmpty {
                keys.reserveCapacity(KeyPieces.size)
                keys.append(contentsOf: distances.lazy.map { first &+ Int64($0) })
                distances = []
            }
            keys.append(contentsOf: new)
        }
    }

    private static let size = 8192
    private var full: [Piece] = []
    private var last: Piece?

    var count: Int { full.count * Self.size + (last?.count ?? 0) }

    subscript(position: Int) -> Int64 {
        let number = position / Self.size
        guard number == full.count, let last else { return full[number][position % Self.size] }
        return last[position % Self.size]
    }

    mutating func append(_ keys: UnsafeBufferPointer<Int64>) {
        var rest = keys[...]
        while let key = rest.first {
            if let piece = last, piece.count == Self.size {
                full.append(piece)
                last = nil
            }
            if last == nil {
                last = Piece(first: key)
                // The first piece grows, as most results are small.
                if !full.isEmpty { last?.distances.reserveCapacity(Self.size) }
            }
            let part = rest.prefix(Self.size - (last?.count ?? 0))
            last?.append(part)
            rest = rest.dropFirst(part.count)
        }
    }
}

/// Keeps keys in as few bytes as possible.
private final class CompactKeys: RowConsumer {
    private let entity: Int
    // Unchecked exclusivity: made and used inside one fetch.
    @exclusivity(unchecked) private(set) var keys = KeyPieces()
    @exclusivity(unchecked) private(set) var entities: ContiguousArray<Int32> = []

    init(_ entity: Int) { self.entity = entity }

    func wantsValues(of key: RowKey) -> Bool {
        withUnsafePointer(to: key.key) { takeKeys(UnsafeBufferPointer(start: $0, count: 1), entity: key.entityIndex) }
        return false
    }

    func takeKeys(_ new: UnsafeBufferPointer<Int64>, entity found: Int) {
        if found != entity, entities.isEmpty { entities = ContiguousArray(repeating: Int32(entity), count: keys.count) }
        keys.append(new)
        if found != entity || !entities.isEmpty { entities.append(contentsOf: repeatElement(Int32(found), count: new.count)) }
    }

    func take(_ row: Row, for key: RowKey) {}
}
