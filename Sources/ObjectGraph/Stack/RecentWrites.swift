import Foundation

/// The rows that a coordinator itself, by a save or a batch request, has recently updated or deleted. With it a
/// conflict can tell another context's write from another process's write, and a fault can recognize a row that is old.
///
/// The list is bounded: the oldest writes are forgotten. A conflict with a forgotten write counts as one with another
/// process.
///
/// `@unchecked Sendable`: everything is under the lock.
final class RecentWrites: @unchecked Sendable {
    /// The rows of one entity in one save.
    struct Entry {
        let root: Int
        let entity: Int
        var keys: [Int64]
        /// The version that each row got; 0 for deleted rows.
        var versions: [Int64]
        /// The save's number by the coordinator's clock.
        var moment = 0
    }

    static let greatestRowCount = 1 << 17
    private static let greatestBatchCount = 1 << 12

    private let lock = NSLock()
    private var batches: [Entry] = []
    private var start = 0
    private var rowCount = 0
    /// The last save with a write that was forgotten.
    private var lastForgotten = 0

    /// Notes what one save has written, before the clock counts it. Must be called while no one else can save
    /// to the store.
    ///
    /// - Returns: the save's number.
    @discardableResult func add(_ batches: [Entry], _ clock: WriteClock) -> Int {
        clock.advance { moment in for batch in batches { add(batch, moment: moment) } }
    }

    func add(_ batch: Entry, moment: Int) {
        guard !batch.keys.isEmpty else { return }
        lock.withLock {
            guard batch.keys.count <= Self.greatestRowCount else {
                lastForgotten = moment
                return
            }
            batches.append(batch)
            batches[batches.count - 1].moment = moment
            rowCount += batch.keys.count
            while rowCount > Self.greatestRowCount || batches.count - start > Self.greatestBatchCount {
                rowCount -= batches[start].keys.count
                lastForgotten = max(lastForgotten, batches[start].moment)
                batches[start] = Entry(root: -1, entity: -1, keys: [], versions: [])
                start += 1
            }
            if start > Self.greatestBatchCount {
                batches.removeFirst(start)
                start = 0
            }
        }
    }

    /// What the saves after `first` and up to `last` have written; nil if some of it was forgotten.
    func batches(after first: Int, until last: Int) -> [Entry]? {
        lock.withLock {
            guard first >= lastForgotten else { return nil }
            let newer = batches[start...].reversed().prefix { $0.moment > first }
            return newer.filter { $0.moment <= last }
        }
    }

    /// The latest version that the coordinator gave to each of some rows; 0 for rows that it deleted.
    func versions(of keys: Set<Int64>, root: Int) -> [Int64: Int64] {
        lock.withLock {
            var result: [Int64: Int64] = [:]
            for batch in batches[start...].reversed() where batch.root == root {
                for (index, key) in batch.keys.enumerated() where keys.contains(key) && result[key] == nil {
                    result[key] = batch.versions[index]
                }
                if result.count == keys.count { break }
            }
            return result
        }
    }
}
