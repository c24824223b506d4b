import DataModel
import Foundation
import Storage

/// The connections of one engine that only read: those of snapshots, and those that read beside the engine's own connection while
/// somebody else uses it. It keeps some of them for the next ones.
///
/// All of it needs a write-ahead log. Without one a reader would keep others from saving.
///
/// A snapshot keeps the log from being emptied. So nothing else may hold one open. It ends with the last reference to it.
///
/// `@unchecked Sendable`: everything that changes is under the lock, because a snapshot may end on every thread, and every thread
/// may read.
final class ReaderPool: @unchecked Sendable {
    /// The greatest number of connections that are kept for later use, and that may read at the same time. A caller that gets
    /// none waits for the engine's own connection.
    private static let greatestCount = 8

    private let timeout: TimeInterval
    private let trace: StatementTrace
    private let fileNumber: StoreLocation.FileNumber?
    private let lock = NSCondition()
    /// The pattern for new connections; nil while there is no log.
    private var pattern: OpenStore?
    private var idle: [OpenStore] = []
    private var busyCount = 0
    private var living: [Int: WeakSnapshot] = [:]
    private var lastNumber = 0
    private var isClosed = false
    /// Work that would take something away from the snapshots up to a number.
    private var postponed: [(number: Int, work: () -> Void)] = []

    private struct WeakSnapshot {
        weak var snapshot: SQLiteSnapshot?
    }

    init(_ store: OpenStore, timeout: TimeInterval, trace: StatementTrace) {
        self.timeout = timeout
        self.trace = trace
        fileNumber = store.location.fileNumber
        noteJournal(of: store)
    }

    /// Finds out whether the store has a write-ahead log. The user of the store's connection calls it when the store is opened,
    /// and when the journal mode may have changed.
    func noteJournal(of store: OpenStore) {
        // A file that can't be read has no readers either; reading it says why.
        let hasLog = !store.location.isInMemory && (try? store.connection.journalMode()) == "wal"
        lock.withLock { pattern = hasLog ? store : nil }
    }

    var canRead: Bool { lock.withLock { pattern != nil && !isClosed } }

    // MARK: Connections

    /// - Throws: An error if the connection can't be opened, or if it is not one to the engine's file. SQLite opens the file that
    ///   has the name now, which may be another one.
    private func makeReader(_ pattern: OpenStore) throws -> OpenStore {
        // Only what never changes is taken from the pattern: its connection is in use.
        let location = pattern.location
        try requireFile(location)
        let connection = try Connection.open(location, .readOnly, timeout: timeout)
        try requireFile(location)
        return OpenStore(location, connection, pattern.mapping, pattern.schema, pattern.externalData)
    }

    private func requireFile(_ location: StoreLocation) throws {
        guard fileNumber != nil, location.fileNumber == fileNumber else {
            throw StoreFailure.error(
                CocoaError.fileReadUnknown.rawValue,
                "“\(location.url.lastPathComponent)” can't be read: the file was moved, replaced or deleted while the store was open",
                url: location.url)
        }
    }

    private func keep(_ store: OpenStore) {
        if !isClosed, idle.count < Self.greatestCount { idle.append(store) }
    }

    // MARK: Reading beside

    /// Runs `body` with a connection of its own, while others use the engine.
    ///
    /// - Returns: Nil if there is no connection for it. Then `body` was not called.
    func read<Result>(_ body: (any RowSource) throws -> Result) throws -> Result? {
        let taken: (pattern: OpenStore, reader: OpenStore?)? = lock.withLock {
            guard let pattern, !isClosed, busyCount < Self.greatestCount else { return nil }
            busyCount += 1
            return (pattern, idle.popLast())
        }
        guard let taken else { return nil }
        var reader = taken.reader
        defer {
            lock.withLock {
                busyCount -= 1
                if let reader { keep(reader) }
                reader = nil
                lock.broadcast()
            }
        }
        // If a fault of the file keeps a connection from being opened, the engine's own connection reports it.
        if reader == nil { reader = try? makeReader(taken.pattern) }
        guard let reader else { return nil }
        reader.connection.follow(trace)
        return try body(PooledReader(reader))
    }

    // MARK: Snapshots

    /// A snapshot of what the store holds now; nil if it has no log.
    func makeSnapshot() throws -> SQLiteSnapshot? {
        let taken: (pattern: OpenStore, reader: OpenStore?)? = lock.withLock {
            guard let pattern, !isClosed else { return nil }
            return (pattern, idle.popLast())
        }
        guard let taken else { return nil }
        let reader = try taken.reader ?? makeReader(taken.pattern)
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
            if let store { keep(store) }
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

    // MARK: Closing

    /// Waits for those who read beside, and ends all snapshots. None of these is being read: the caller that closes the engine
    /// sees to that.
    func close() {
        // Held beyond the lock: the last reference to a snapshot must not go inside.
        let snapshots = lock.withLock {
            isClosed = true
            while busyCount > 0 { lock.wait() }
            return living.values.compactMap(\.snapshot)
        }
        let (stores, work) = lock.withLock {
            let stores = snapshots.compactMap { snapshot -> OpenStore? in
                defer { snapshot.store = nil }
                return snapshot.store
            }
            idle = []
            pattern = nil
            living = [:]
            return (stores, takeDue())
        }
        for store in stores { store.connection.rollBack() }
        for work in work { work() }
    }
}

/// Reads the newest rows by a connection of the pool.
///
/// `@unchecked Sendable`: it serves the one who took it, on one thread.
private final class PooledReader: SQLiteReader, @unchecked Sendable {
    private let store: OpenStore

    init(_ store: OpenStore) { self.store = store }

    func openStore(_ phase: StorePhase) throws -> OpenStore { store }
}
