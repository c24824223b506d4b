import Foundation
import Storage

/// The rows of a store as they were at one moment: a connection with an open read transaction on the write-ahead log.
///
/// `@unchecked Sendable`: `store` changes under the pool's lock only; the connection serves one caller at a time (see
/// `StorageEngine`).
final class SQLiteSnapshot: SQLiteReader, @unchecked Sendable {
    /// Later snapshots have greater numbers.
    let number: Int
    private let url: URL
    private let pool: ReaderPool
    /// Nil once the pool is closed.
    var store: OpenStore?

    init(_ store: OpenStore, number: Int, pool: ReaderPool) {
        self.store = store
        self.number = number
        self.pool = pool
        url = store.location.url
    }

    deinit { pool.takeBack(store, number: number) }

    func openStore(_ phase: StorePhase) throws -> OpenStore {
        if let store = pool.store(of: self) { return store }
        throw StoreFailure.closed(url, phase)
    }
}
