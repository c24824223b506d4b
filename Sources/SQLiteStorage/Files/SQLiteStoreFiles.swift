import DataModel
import Foundation
import Storage

/// What can be done with SQLite stores while they are closed.
struct SQLiteStoreFiles: StoreFiles {
    func file(at url: URL) throws -> URL? {
        let location = try StoreLocation(url)
        return location.isInMemory ? nil : location.file
    }

    func metadata(of url: URL) throws -> [String: Any] {
        let (metadata, schema) = try StoreOpening.metadata(StoreLocation(url))
        return metadata.forAPI(schema)
    }

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
