import DataModel
import Foundation
import Storage

/// What can be done with SQLite stores while they are closed.
struct SQLiteStoreFiles: StoreFiles {
    var migration: (any InPlaceMigration)? { SQLiteMigration() }

    func file(at url: URL) throws -> URL? {
        let location = try StoreLocation(url)
        return location.isInMemory ? nil : location.file
    }

    func metadata(of url: URL) throws -> [String: Any] {
        let (metadata, schema) = try StoreOpening.metadata(StoreLocation(url))
        return metadata.forAPI(schema)
    }

    func readCachedModel(of url: URL, into model: NSManagedObjectModel) throws {
        let location = try StoreLocation(url)
        let (connection, schema) = try StoreOpening.connect(location)
        func failure(_ reason: String, _ code: Int = CocoaError.fileReadCorruptFile.rawValue) -> NSError {
            StoreFailure.error(code, "The model of “\(url.lastPathComponent)” can't be read: \(reason)", url: url)
        }
        guard schema.tables["Z_MODELCACHE"] != nil else {
            throw failure(
                "the store has no copy of it, because an old framework made it (there is no table Z_MODELCACHE). "
                    + "Open it with the model of the application", CocoaError.fileReadUnknown.rawValue)
        }
        var size: Int?
        try connection.rows("SELECT length(CAST(Z_CONTENT AS BLOB)) FROM Z_MODELCACHE ORDER BY rowid LIMIT 1", .opening) {
            size = Int($0.integer(0))
        }
        guard let size, size > 0 else {
            throw failure(
                "the store has no copy of it (the table Z_MODELCACHE is empty). Open it with the model of the application",
                CocoaError.fileReadUnknown.rawValue)
        }
        guard size <= Self.greatestCacheSize else { throw failure("its copy in the store is larger than \(size >> 20) MB") }
        var cache = Data()
        try connection.rows("SELECT CAST(Z_CONTENT AS BLOB) FROM Z_MODELCACHE ORDER BY rowid LIMIT 1", .opening) {
            cache = Data($0.blob(0))
        }
        let hashes = try MetadataTable(connection).values[StoreMetadata.hashesKey] as? [String: Data]
        try model.read(cache: cache, hashes: hashes ?? [:], from: url)
    }

    private static let greatestCacheSize = 64 << 20

    func setMetadata(_ metadata: [String: Any], of url: URL, settings: StoreSettings) throws {
        let file = try StoreFile(url, settings)
        try file.requireFile()
        try file.location.requireOwnJournal()
        try file.location.requireWholePages()
        let connection = try Connection.open(file.location, .existing, timeout: settings.timeout)
        try StoreOpening.requireStore(FileSchema(connection), file.location)
        try connection.execute("BEGIN IMMEDIATE", .saving)
        defer { connection.rollBack() }
        try MetadataTable(connection).replacing(metadata).write(to: connection)
        try connection.execute("COMMIT", .saving)
    }

    func destroy(_ url: URL, settings: StoreSettings) throws {
        try StoreFile(url, settings).destroy(force: settings.forcesDestruction)
    }

    func replace(_ url: URL, settings: StoreSettings, with source: URL, sourceSettings: StoreSettings) throws {
        try StoreFile(url, settings).replace(with: StoreFile(source, sourceSettings))
    }

    func requireNothing(at url: URL, settings: StoreSettings) throws { try StoreFile(url, settings).requireNothing() }

    func removeFiles(at url: URL, settings: StoreSettings) throws {
        let file = try StoreFile(url, settings)
        try file.requirePlainFile()
        for path in file.location.files { unlink(path) }
        file.externalData.removeFiles(except: [])
    }
}
