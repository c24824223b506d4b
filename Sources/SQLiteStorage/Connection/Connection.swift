import CSQLite
import DataModel
import Foundation
import Storage

/// One connection to a store's database. Not synchronised: the owner of the engine makes one call at a time.
final class Connection {
    let handle: OpaquePointer
    let url: URL
    /// What SQLite has a pointer to.
    var trace: StatementTrace?

    /// Where a connection that may only read has SQLite make a log and its index that were not there; nil elsewhere.
    private var newLog: StoreLocation?

    private init(_ handle: OpaquePointer, _ url: URL) {
        self.handle = handle
        self.url = url
    }

    deinit {
        sqlite3_close_v2(handle)
        if let newLog { Self.removeEmptyLog(newLog) }
    }

    /// SQLite removes the log with the last connection, unless that one may only read. So a connection that may write is opened
    /// and closed.
    ///
    /// A log that is not empty stays: it belongs to another connection.
    private static func removeEmptyLog(_ location: StoreLocation) {
        guard location.writeAheadSize == 0, FileManager.default.isWritableFile(atPath: location.file.path),
            let connection = try? open(location, location.name(), .existing, timeout: 0)
        else { return }
        connection.setCheckpointsOnClose(true)
        // A locked file is in use, and its user removes the log.
        try? connection.readSchemaVersion()
    }

    enum Access {
        case readOnly
        /// Reads and writes an existing file.
        case existing
        /// Makes the file if it is not there.
        case create
    }

    /// Opens the database and reads its first page, so that every fault of the file shows here.
    static func open(_ location: StoreLocation, _ access: Access, timeout: TimeInterval) throws -> Connection {
        let hadLog = location.hasLogFiles
        do {
            let connection = try open(location, location.name(), access, timeout: timeout)
            if access == .readOnly, !location.isInMemory, !hadLog { connection.newLog = location }
            try connection.readSchemaVersion()
            return connection
        } catch let error as NSError {
            let code = (error.userInfo[StoreFailure.resultCodeKey] as? NSNumber)?.int32Value
            guard access == .readOnly, location.exists, code == SQLITE_CANTOPEN || code == SQLITE_READONLY || code == SQLITE_IOERR
            else { throw error }
            // A store in WAL mode in a folder that can't be written: SQLite can't make the shared-memory file. Without a
            // write-ahead file the database file is complete; with one it can be read by a connection that shares nothing,
            // which takes SQLite's file system without locks (Unix only).
            let isComplete = (location.writeAheadSize ?? 0) == 0
            let name = location.name([isComplete ? "immutable=1" : "vfs=unix-none"])
            guard let connection = try? open(location, name, .readOnly, timeout: timeout) else { throw error }
            if !isComplete { try connection.execute("PRAGMA locking_mode=EXCLUSIVE", .opening) }
            try connection.readSchemaVersion()
            return connection
        }
    }

    private static func open(
        _ location: StoreLocation, _ name: String, _ access: Access, timeout: TimeInterval
    ) throws -> Connection {
        var handle: OpaquePointer?
        var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        switch access {
        case .readOnly where !location.isInMemory: flags |= SQLITE_OPEN_READONLY
        case .existing where !location.isInMemory: flags |= SQLITE_OPEN_READWRITE
        default: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        if name.hasPrefix("file:") { flags |= SQLITE_OPEN_URI }
        let result = sqlite3_open_v2(name, &handle, flags, nil)
        guard result == SQLITE_OK, let handle else {
            let text = handle.map(StoreFailure.text) ?? String(cString: sqlite3_errstr(result))
            sqlite3_close_v2(handle)
            throw StoreFailure.error(result, .opening, text: text, doing: "opening \(location.url.path)", url: location.url)
        }
        csqlite_distrust(handle)
        let connection = Connection(handle, location.url)
        connection.setTimeout(timeout)
        connection.registerTriggerFunctions()
        StoreFunctions.register(handle)
        let registration = ValueList.register(handle)
        guard registration == SQLITE_OK else { throw connection.failure(registration, .opening, doing: ValueList.moduleName) }
        return connection
    }

    /// How long to wait for another connection's lock, in seconds.
    func setTimeout(_ timeout: TimeInterval) {
        sqlite3_busy_timeout(handle, Int32(max(0, min(timeout * 1000, 2_000_000_000))))
    }

    /// Triggers of derived attributes call these to tell Apple's framework of a new value. SQLite refuses every write if they are
    /// missing, or not marked as innocuous.
    private func registerTriggerFunctions() {
        for name in ["NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"] {
            sqlite3_create_function_v2(
                handle, name, -1, SQLITE_UTF8 | SQLITE_INNOCUOUS, nil, { context, _, _ in sqlite3_result_null(context) }, nil,
                nil, nil)
        }
    }

    /// Whether closing the last connection moves the write-ahead log into the database file. It does unless set.
    func setCheckpointsOnClose(_ checkpoints: Bool) {
        csqlite_set_checkpoint_on_close(handle, checkpoints ? 1 : 0)
    }

    /// "wal", "delete", "memory" or another one of SQLite's names.
    func journalMode() throws -> String {
        var mode = ""
        try rows("PRAGMA journal_mode", .reading) { mode = $0.text(0) ?? "" }
        return mode
    }

    private func readSchemaVersion() throws {
        try rows("SELECT count(*) FROM sqlite_master", .opening) { _ in }
    }

    /// Whether SQLite may not write to the database, for whatever reason.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }
    /// Whether the file is no longer where it was opened, so that what is written to it is lost with the connection.
    var hasMoved: Bool { csqlite_has_moved(handle) != 0 }
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
    var changes: Int { Int(sqlite3_changes(handle)) }

    func failure(_ result: Int32, _ phase: StorePhase, doing: String) -> NSError {
        StoreFailure.error(result, phase, text: StoreFailure.text(handle), doing: doing, url: url)
    }

    /// - Parameter isKept: whether the statement will serve many times.
    /// - Throws: `QueryLimit` for a query that SQLite's limits don't allow, or an `NSError`.
    func prepare(_ sql: String, _ phase: StorePhase, isKept: Bool = true) throws -> Statement {
        var statement: OpaquePointer?
        let flags = isKept ? UInt32(SQLITE_PREPARE_PERSISTENT) : 0
        let result = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
        guard result == SQLITE_OK else {
            let text = String(cString: sqlite3_errmsg(handle))
            if phase == .reading, StoreFailure.isLimit(result, text) { throw QueryLimit(reason: text) }
            throw failure(result, phase, doing: sql)
        }
        guard let statement else { throw failure(SQLITE_MISUSE, phase, doing: "empty statement") }
        return Statement(statement, self)
    }

    func execute(_ sql: String, _ phase: StorePhase) throws {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw failure(result, phase, doing: sql) }
    }

    /// Runs a query once. For set-up work only.
    func rows(_ sql: String, _ phase: StorePhase, bind: (Statement) -> Void = { _ in }, _ body: (Statement) throws -> Void) throws
    {
        let statement = try prepare(sql, phase, isKept: false)
        bind(statement)
        while try statement.step(phase) { try body(statement) }
    }

    /// Undoes the transaction, if SQLite has not done so by itself.
    func rollBack() {
        if isInTransaction { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }
    }
}
