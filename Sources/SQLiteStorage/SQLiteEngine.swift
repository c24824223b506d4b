import CSQLite
import DataModel
import Foundation
import Storage

/// Keeps rows in an SQLite file with the tables and columns of Apple's Core Data.
///
/// `@unchecked Sendable`: the coordinator makes one call at a time (see `StorageEngine`), and the connection does not care from
/// which thread.
package final class SQLiteEngine: StorageEngine, SQLiteReader, @unchecked Sendable {
    package let evaluatesQueries = true
    package let identifier: String
    package internal(set) var metadata: [String: Any]
    let url: URL
    let options: SQLiteStoreOptions
    var hasChangedMetadata = false
    let snapshots: SnapshotPool
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
        snapshots = SnapshotPool(timeout: options.timeout)
        store = opened.store
        identifier = opened.metadata.identifier
        metadata = opened.metadata.forAPI
    }

    /// The metadata of a store, without a model.
    package static func metadata(of url: URL) throws -> [String: Any] {
        try StoreOpening.metadata(StoreLocation(url)).forAPI
    }

    package func setMetadata(_ metadata: [String: Any]) {
        let reserved = self.metadata.filter { MetadataTable.reservedKeys.contains($0.key) }
        self.metadata = metadata.filter { !MetadataTable.reservedKeys.contains($0.key) }.merging(reserved) { $1 }
        hasChangedMetadata = true
    }

    package var hasSnapshots: Bool { store.map(SnapshotPool.canRead) ?? false }

    package func makeSnapshot() throws -> (any RowSource)? { try snapshots.makeSnapshot(of: openStore(.reading)) }

    deinit { close() }

    package func close() {
        // First: the last connection moves the log into the file, and a reader may not do that.
        snapshots.close()
        store = nil
    }

    func openStore(_ phase: StorePhase) throws -> OpenStore {
        if let store { return store }
        throw StoreFailure.closed(url, phase)
    }
}
