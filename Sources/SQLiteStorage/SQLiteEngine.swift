import CSQLite
import DataModel
import Foundation
import Storage

/// Keeps rows in an SQLite file with the tables and columns of Apple's Core Data.
///
/// `@unchecked Sendable`: the coordinator makes one call at a time (see `StorageEngine`), and the connection does not care from
/// which thread.
package final class SQLiteEngine: StorageEngine, StatementSource, SQLiteReader, @unchecked Sendable {
    package let evaluatesQueries = true
    package let identifier: String
    package internal(set) var metadata: [String: Any]
    let url: URL
    let options: SQLiteStoreOptions
    var hasChangedMetadata = false
    let snapshots: SnapshotPool
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
    package init(url: URL, model: NSManagedObjectModel, layout: ModelLayout, options: SQLiteStoreOptions) throws {
        let opened = try StoreOpening(location: StoreLocation(url), model: model, layout: layout, options: options).open()
        self.url = url
        self.options = options
        snapshots = SnapshotPool(timeout: options.timeout, trace: trace)
        store = opened.store
        identifier = opened.metadata.identifier
        metadata = opened.metadata.forAPI(opened.store.schema)
    }

    /// The metadata of a store, without a model.
    package static func metadata(of url: URL) throws -> [String: Any] {
        let (metadata, schema) = try StoreOpening.metadata(StoreLocation(url))
        return metadata.forAPI(schema)
    }

    /// Whether a model fits the store file that some metadata are of, by the file's tables: as it does to be opened.
    ///
    /// - Returns: Nil if the metadata don't tell what the tables are, or if the file's version hashes were computed here and so
    ///   tell it themselves.
    package static func fits(_ layout: ModelLayout, metadata: [String: Any]) -> Bool? {
        guard let schema = FileSchema(fingerprint: metadata[StoreMetadata.tablesKey]), !schema.wasMadeHere else { return nil }
        guard let fitted = try? StoreCompatibility(layout, schema) else { return false }
        return fitted.mapping != nil && fitted.differences.isEmpty
    }

    package func setMetadata(_ metadata: [String: Any]) {
        let reserved = self.metadata.filter { StoreMetadata.reservedKeys.contains($0.key) }
        self.metadata = metadata.filter { !StoreMetadata.reservedKeys.contains($0.key) }.merging(reserved) { $1 }
        hasChangedMetadata = true
    }

    /// Gives free pages back to the file system, and counts anew what SQLite plans its queries by.
    package func maintain(vacuums: Bool, analyzes: Bool) throws {
        let store = try openStore(.saving)
        guard !options.isReadOnly, !store.connection.isReadOnly else { return }
        if vacuums {
            // SQLite attaches a database of its own for it.
            let limit = sqlite3_limit(store.connection.handle, SQLITE_LIMIT_ATTACHED, 1)
            defer { _ = sqlite3_limit(store.connection.handle, SQLITE_LIMIT_ATTACHED, limit) }
            try store.connection.execute("VACUUM", .saving)
        }
        if analyzes { try store.connection.execute("ANALYZE", .saving) }
    }

    package var hasSnapshots: Bool { store.map(SnapshotPool.canRead) ?? false }

    package func makeSnapshot() throws -> (any RowSource)? { try snapshots.makeSnapshot(of: openStore(.reading)) }

    deinit { close() }

    package func close() {
        // First: the last connection moves the log into the file, and a reader may not do that.
        snapshots.close()
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
