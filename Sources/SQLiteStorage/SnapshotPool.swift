import DataModel
import Foundation
import Storage

/// Makes the snapshots of one engine and keeps some of their connections for the next ones.
///
/// A snapshot keeps the write-ahead log from being emptied. So nothing else may hold one open. It ends with the last reference to
/// it.
///
/// `@unchecked Sendable`: everything is under the lock, because a snapshot may end on every thread.
final class SnapshotPool: @unchecked Sendable {
    private static let greatestIdleCount = 2

    private let timeout: TimeInterval
    private let trace: StatementTrace
    private let lock = NSLock()
    private var idle: [OpenStore] = []
    private var living: [Int: WeakSnapshot] = [:]
    private var lastNumber = 0
    private var isClosed = false
    /// Work that would take something away from the snapshots up to a number.
    private var postponed: [(number: Int, work: () -> Void)] = []

    private struct WeakSnapshot {
        weak var snapshot: SQLiteSnapshot?
    }

    init(timeout: TimeInterval, trace: StatementTrace) {
        self.timeout = timeout
        self.trace = trace
    }

    /// A snapshot of what `store` holds now; nil if it has no log.
    func makeSnapshot(of store: OpenStore) throws -> SQLiteSnapshot? {
        guard Self.canRead(store) else { return nil }
        let reader = try lock.withLock { idle.popLast() } ?? makeReader(store)
        reader.connection.follow(trace)
        do {
            try reader.connection.execute("BEGIN", .reading)
            // The transaction begins with the first look into the file.
            try reader.connection.rows("SELECT count(*) FROM sqlite_master", .reading) { _ in }
        } catch {
            reader.connection.rollBack()
            throw error
        }
        return lock.withLock {
            lastNumber += 1
            let snapshot = SQLiteSnapshot(reader, number: lastNumber, pool: self)
            living[lastNumber] = WeakSnapshot(snapshot: snapshot)
            return snapshot
        }
    }

    private func makeReader(_ store: OpenStore) throws -> OpenStore {
        let connection = try Connection.open(store.location, .readOnly, timeout: timeout)
        return OpenStore(store.location, connection, store.mapping, store.schema, store.externalData)
    }

    /// Whether the store has a write-ahead log. Without it a reader would keep others from saving.
    static func canRead(_ store: OpenStore) -> Bool {
        guard !store.location.isInMemory else { return false }
        // A file that can't be read has no snapshots either; reading it says why.
        return (try? store.connection.journalMode()) == "wal"
    }

    /// What a snapshot is about to read from.
    func store(of snapshot: SQLiteSnapshot) -> OpenStore? {
        let store = lock.withLock { snapshot.store }
        store?.connection.follow(trace)
        return store
    }

    /// Ends a snapshot's transaction.
    func takeBack(_ store: OpenStore?, number: Int) {
        store?.connection.rollBack()
        let work = lock.withLock {
            living[number] = nil
            if let store, !isClosed, idle.count < Self.greatestIdleCount { idle.append(store) }
            return takeDue()
        }
        for work in work { work() }
    }

    /// Runs `work` when no snapshot of now is left: at once if there is none.
    func afterSnapshots(_ work: @escaping () -> Void) {
        let due = lock.withLock {
            postponed.append((lastNumber, work))
            return takeDue()
        }
        for work in due { work() }
    }

    private func takeDue() -> [() -> Void] {
        let oldest = living.keys.min() ?? Int.max
        let due = postponed.prefix { $0.number < oldest }.map(\.work)
        postponed.removeFirst(due.count)
        return due
    }

    /// Ends all snapshots. None is being read: the caller that closes the engine sees to that.
    func close() {
        // Held beyond the lock: the last reference to a snapshot must not go inside.
        let snapshots = lock.withLock {
            isClosed = true
            return living.values.compactMap(\.snapshot)
        }
        let (stores, work) = lock.withLock {
            let stores = snapshots.compactMap { snapshot -> OpenStore? in
                defer { snapshot.store = nil }
                return snapshot.store
            }
            idle = []
            living = [:]
            return (stores, takeDue())
        }
        for store in stores { store.connection.rollBack() }
        for work in work { work() }
    }
}
