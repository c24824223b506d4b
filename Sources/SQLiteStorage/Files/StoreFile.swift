import CSQLite
import DataModel
import Foundation
import Storage

/// A store's file as a whole, with the files that belong to it: to be destroyed, replaced or copied while no engine has it open.
///
/// Nothing that is not a store is ever changed: not a folder, a device, another file or another program's database.
struct StoreFile {
    let location: StoreLocation
    let options: StoreSettings

    init(_ url: URL, _ options: StoreSettings) throws {
        location = try StoreLocation(url)
        self.options = options
        if location.isInMemory {
            throw StoreFailure.error(
                CocoaError.fileReadNoSuchFile.rawValue,
                "“\(url.path)” has no file: it is a store in memory, which ends with the last coordinator that has it open",
                url: url)
        }
    }

    var name: String { location.url.lastPathComponent }
    var externalData: ExternalData { ExternalData(store: location.file, followsLinks: options.followsExternalLinks) }

    /// Refuses what is there and not a plain file.
    func requirePlainFile() throws {
        guard location.exists else { return }
        let attributes = try? FileManager.default.attributesOfItem(atPath: location.file.path)
        let type = attributes?[.type] as? FileAttributeType
        if type == .typeRegular { return }
        throw StoreFailure.error(
            CocoaError.fileReadCorruptFile.rawValue,
            "“\(name)” is \(type == .typeDirectory ? "a folder" : "not a plain file"), so it is not a Core Data store: nothing was changed",
            url: location.url)
    }

    func requireFile() throws {
        try StoreOpening.requireFile(location)
        try requirePlainFile()
    }

    /// Refuses a database that is not a store. An empty one is what is left of a store that was destroyed.
    func requireStore(_ schema: FileSchema) throws {
        if schema.isEmpty { return }
        try StoreOpening.requireStore(schema, location)
    }

    /// A connection that leaves the file, and a log beside it, as they are.
    func openForReading() throws -> Connection {
        try requireFile()
        try location.requireOwnJournal()
        try location.requireWholePages()
        let connection = try Connection.open(location, .readOnly, timeout: options.timeout)
        try StoreOpening.requireStore(FileSchema(connection), location)
        return connection
    }

    /// Runs `body` while no other connection uses the file, and with everything in the file itself: no log is beside it.
    func alone(_ body: () throws -> Void) throws {
        try requireFile()
        try location.requireOwnJournal()
        let connection = try Connection.open(location, .existing, timeout: options.timeout)
        try requireStore(FileSchema(connection))
        do {
            try connection.execute("PRAGMA journal_mode=DELETE", .saving)
            try connection.execute("BEGIN EXCLUSIVE", .saving)
        } catch let error as NSError where error.code == NSPersistentStoreTimeoutError {
            throw inUse(error)
        }
        defer { connection.rollBack() }
        // Another program may have come in between.
        guard try connection.journalMode() == "delete" else { throw inUse(nil) }
        try body()
    }

    private func inUse(_ error: NSError?) -> NSError {
        var info: [String: Any] = [:]
        info[NSUnderlyingErrorKey] = error
        return StoreFailure.error(
            NSPersistentStoreTimeoutError,
            "“\(name)” is in use: remove the store from every coordinator that has it open, in this program and in others, and try again",
            url: location.url, resultCode: SQLITE_BUSY, userInfo: info)
    }

    // MARK: Destroying

    /// Makes the file an empty one, and removes the files of external values.
    ///
    /// - Parameter force: Whether a store that is damaged, or in use, is destroyed too.
    func destroy(force: Bool) throws {
        try requirePlainFile()
        guard location.exists else { return }
        do {
            try alone(empty)
        } catch {
            guard force, hasDatabaseHeader, try isStoreOrWasOne() else { throw error }
            try empty()
            // Files of these names are SQLite's; a folder of such a name stays.
            for file in location.files.dropFirst() { unlink(file) }
        }
        externalData.removeFiles(except: [])
    }

    /// Without opening the file: closing it again would end the locks of this process.
    private func empty() throws {
        guard truncate(location.file.path, 0) == 0 else {
            throw StoreFailure.error(
                CocoaError.fileWriteUnknown.rawValue, "“\(name)” can't be emptied: \(String(cString: strerror(errno)))",
                url: location.url)
        }
    }

    /// Whether a database is a store, or, where it can't be read, has traces of one.
    private func isStoreOrWasOne() throws -> Bool {
        if let schema = try? FileSchema(Connection.open(location, .readOnly, timeout: 0)) {
            return schema.isStore || schema.isEmpty
        }
        for path in [location.file.path, location.file.path + "-wal"] {
            guard let file = FileHandle(forReadingAtPath: path) else { continue }
            defer { try? file.close() }
            if try hasTraces(file) { return true }
        }
        throw StoreFailure.error(
            CocoaError.fileReadCorruptFile.rawValue,
            "“\(name)” is a damaged database that does not look like a Core Data store: nothing was changed. If it is one, remove the file yourself",
            url: location.url)
    }

    /// Whether a file has names that only a store has.
    private func hasTraces(_ file: FileHandle) throws -> Bool {
        let names = ["Z_METADATA", "Z_PRIMARYKEY", "NSStoreModelVersionHashes"].map { Data($0.utf8) }
        let overlap = names.map(\.count).max() ?? 0
        var end = Data()
        while let piece = try file.read(upToCount: 1 << 20), !piece.isEmpty {
            let text = end + piece
            if names.contains(where: { text.range(of: $0) != nil }) { return true }
            end = text.suffix(overlap)
        }
        return false
    }

    private var hasDatabaseHeader: Bool {
        guard let file = FileHandle(forReadingAtPath: location.file.path) else { return false }
        defer { try? file.close() }
        return (try? file.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }
}
