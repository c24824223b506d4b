import CSQLite
import DataModel
package import Foundation
package import Storage

extension StoreFile {
    /// Puts a copy of another store in this one's place, all or nothing: the new file takes the name of the old one in one step.
    func replace(with source: StoreFile) throws {
        guard source.location.file.path != location.file.path else {
            throw StoreFailure.error(
                NSPersistentStoreOperationError, "“\(name)” can't be replaced with itself", url: location.url)
        }
        try requirePlainFile()
        let connection = try source.openForReading()
        try put(connection, externalData: source.externalData, metadata: nil)
    }

    /// Makes a copy of an open store here, with another UUID.
    ///
    /// - Parameter metadata: The copy's metadata.
    func fill(from store: OpenStore, metadata: MetadataTable) throws {
        try requireNothing()
        try put(store.connection, externalData: store.externalData, metadata: metadata)
    }

    /// Refuses what is there, unless it is a store that was destroyed.
    func requireNothing() throws {
        try requirePlainFile()
        guard location.exists, try !FileSchema(Connection.open(location, .existing, timeout: options.timeout)).isEmpty else {
            return
        }
        throw StoreFailure.error(
            CocoaError.fileWriteFileExists.rawValue,
            "A store can't be copied to “\(name)”: there is a file of this name. Destroy or remove that first", url: location.url)
    }

    private func put(_ connection: Connection, externalData source: ExternalData, metadata: MetadataTable?) throws {
        try StoreOpening.requireFolder(location)
        let folder = location.file.deletingLastPathComponent()
        let copy = folder.appendingPathComponent(".\(UUID().uuidString)-\(location.file.lastPathComponent)")
        let temporaryFiles = try StoreLocation(copy).files
        defer { for file in temporaryFiles { unlink(file) } }
        try copyDatabase(connection, to: copy, metadata: metadata)
        let old = externalData.files
        let names = try source.copyFiles(to: externalData)
        do {
            let takeName = {
                guard rename(copy.path, location.file.path) == 0 else {
                    throw StoreFailure.error(
                        CocoaError.fileWriteUnknown.rawValue,
                        "“\(name)” can't be written: \(String(cString: strerror(errno)))", url: location.url)
                }
            }
            if location.exists { try alone(takeName) } else { try takeName() }
        } catch {
            externalData.removeFiles(except: old)
            throw error
        }
        externalData.removeFiles(except: names)
    }

    /// Copies all pages as one moment of the database has them.
    private func copyDatabase(_ connection: Connection, to copy: URL, metadata: MetadataTable?) throws {
        let mode = try connection.journalMode()
        let target = try Connection.open(StoreLocation(copy), .create, timeout: options.timeout)
        guard let backup = sqlite3_backup_init(target.handle, "main", connection.handle, "main") else {
            throw target.failure(sqlite3_errcode(target.handle), .saving, doing: "copying “\(connection.url.lastPathComponent)”")
        }
        let step = sqlite3_backup_step(backup, -1)
        let result = sqlite3_backup_finish(backup)
        guard step == SQLITE_DONE, result == SQLITE_OK else {
            throw target.failure(
                step == SQLITE_DONE ? result : step, .saving, doing: "copying “\(connection.url.lastPathComponent)”")
        }
        // A copy with a log would not be whole in one file.
        try target.execute("PRAGMA journal_mode=DELETE", .saving)
        try metadata?.write(to: target)
        if mode == "wal" || mode == "memory" { try target.execute("PRAGMA journal_mode=WAL", .saving) }
    }
}

extension SQLiteEngine: CopyingEngine {
    /// Makes a copy of the open store, with its keys, its external values and its metadata, and with a UUID of its own.
    package func copy(to url: URL, settings: StoreSettings) throws {
        let store = try openStore(.reading)
        let copy = try MetadataTable(store.connection).copy.replacing(metadata)
        try StoreFile(url, settings).fill(from: store, metadata: copy)
    }
}
