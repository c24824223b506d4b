import CSQLite
package import DataModel
package import Foundation
package import Storage

/// Keeps rows in an SQLite file with the tables and columns of Apple's Core Data.
///
/// `@unchecked Sendable`: the store makes one call at a time (see `StorageEngine`), and the connection does not care from
/// which thread. Readings beside these calls go to the pool, which has a lock of its own.
package final class SQLiteEngine: StorageEngine, StatementSource, SQLiteReader, @unchecked Sendable {
    package let identifier: String
    package internal(set) var metadata: [String: Any]
    let url: URL
    let options: StoreSettings
    var hasChangedMetadata = false
    let readers: ReaderPool
    private let trace = StatementTrace()
    @exclusivity(unchecked) private var store: OpenStore?

    /// Opens a store, or makes one where there is no file.
    ///
    /// A file that Apple's framework wrote is opened if its entities, tables and columns are those of the model; the version
    /// hashes in it are kept.
    ///
    /// - Parameters:
    ///   - url: A file; `/dev/null` for a store in memory, `/dev/null/name` for one that all engines with this URL share.
    ///   - layout: The layout of `model`.
    /// - Throws: `NSError`s as Core Data's API has them; nothing is written then.
    package init(url: URL, model: NSManagedObjectModel, layout: ModelLayout, options: StoreSettings) throws {
        let opened = try StoreOpening(location: StoreLocation(url), model: model, layout: layout, options: options).open()
        self.url = url
        self.options = options
        readers = ReaderPool(opened.store, timeout: options.timeout, trace: trace)
        store = opened.store
        identifier = opened.metadata.identifier
        metadata = opened.metadata.forAPI(opened.store.schema)
    }

    // SQLite calls functions of the engine for what it does not know itself.
    package func evaluates(_ condition: RowPredicate) -> Bool { true }
    package func evaluates(_ key: RowRequest.SortKey) -> Bool { true }
    package var takesBatchRequests: Bool { true }
    package var allowsTransients: Bool { false }
    package var statements: (any StatementSource)? { self }
    package var copying: (any CopyingEngine)? { self }

    package func setMetadata(_ metadata: [String: Any]) {
        let reserved = self.metadata.filter { StoreMetadata.reservedKeys.contains($0.key) }
        self.metadata = metadata.filter { !StoreMetadata.reservedKeys.contains($0.key) }.merging(reserved) { $1 }
        hasChangedMetadata = true
    }

    package func maintain() throws {
        guard options.vacuums || options.analyzes else { return }
        let store = try openStore(.saving)
        guard !options.isReadOnly, !store.connection.isReadOnly else { return }
        if options.vacuums {
            // SQLite attaches a database of its own for it.
            let limit = sqlite3_limit(store.connection.handle, SQLITE_LIMIT_ATTACHED, 1)
            defer { _ = sqlite3_limit(store.connection.handle, SQLITE_LIMIT_ATTACHED, limit) }
            try store.connection.execute("VACUUM", .saving)
        }
        if options.analyzes { try store.connection.execute("ANALYZE", .saving) }
    }

    package var hasSnapshots: Bool { readers.canRead }

    package func makeSnapshot() throws -> (any RowSource)? {
        _ = try openStore(.reading)
        return try readers.makeSnapshot()
    }

    package func readBeside<Result>(_ body: (any RowSource) throws -> Result) throws -> Result? { try readers.read(body) }

    deinit { close() }

    package func close() {
        // First: the last connection moves the log into the file, and a reader may not do that.
        readers.close()
        store = nil
    }

    package func addStatementHandler(_ handler: @escaping @Sendable (String) -> Void) -> Int {
        defer { store?.connection.follow(trace) }
        return trace.add(handler)
    }

    package func removeStatementHandler(_ number: Int) {
        trace.remove(number)
        store?.connection.follow(trace)
    }

    func openStore(_ phase: StorePhase) throws -> OpenStore {
        if let store { return store }
        throw StoreFailure.closed(url, phase)
    }
}
