import BenchmarkKit
import CBenchmarkSystem

/// A connection through the bare C API, with the settings that the library uses.
final class RawDatabase {
    let connection: OpaquePointer

    init(path: String, create: Bool = false) throws {
        var connection: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (create ? SQLITE_OPEN_CREATE : 0)
        guard sqlite3_open_v2(path, &connection, flags, nil) == SQLITE_OK, let connection else {
            throw BenchmarkError("cannot open \(path)")
        }
        self.connection = connection
        sqlite3_busy_timeout(connection, 10_000)
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
        try execute("PRAGMA cache_size = -16384")
    }

    deinit {
        sqlite3_close_v2(connection)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
    }

    /// Prepares a statement. The caller finalizes it.
    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw failure(sql) }
        return statement
    }

    /// The first column of the first row.
    func integer(_ sql: String) throws -> Int64 {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else { throw failure(sql) }
        return sqlite3_column_int64(statement, 0)
    }

    func forEachRow(_ sql: String, _ body: (OpaquePointer) throws -> Void) throws {
        let statement = try prepare(sql)
        defer { sqlite3_finalize(statement) }
        while sqlite3_step(statement) == SQLITE_ROW { try body(statement) }
    }

    /// Runs `body` with prepared statements, in a transaction.
    func inTransaction(_ sql: [String], body: ([OpaquePointer]) throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        let statements = try sql.map { try prepare($0) }
        defer { for statement in statements { sqlite3_finalize(statement) } }
        try body(statements)
        try execute("COMMIT")
    }

    func inTransaction(_ sql: String, body: (OpaquePointer) throws -> Void) throws {
        try inTransaction([sql]) { try body($0[0]) }
    }

    /// Runs a statement that has no rows, and makes it ready for the next values.
    func step(_ statement: OpaquePointer, _ sql: String) throws {
        guard sqlite3_step(statement) == SQLITE_DONE else { throw failure(sql) }
        sqlite3_reset(statement)
    }

    func failure(_ sql: String) -> BenchmarkError {
        BenchmarkError("\(String(cString: sqlite3_errmsg(connection))) in: \(sql)")
    }
}
