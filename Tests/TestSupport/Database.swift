import CSQLite
package import Foundation

/// A plain connection beside the engine's, for looking at a file and for damaging it.
package final class Database {
    package struct Failure: Error {
        package let code: Int32
        package let text: String
    }

    private let handle: OpaquePointer

    package init(_ url: URL) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open(url.path, &handle)
        guard code == SQLITE_OK, let handle else { throw Failure(code: code, text: url.path) }
        self.handle = handle
        // Triggers of Apple's stores call these.
        for name in ["NSCoreDataDATriggerUpdatedAffectedObjectValue", "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"] {
            sqlite3_create_function(
                handle, name, -1, SQLITE_UTF8, nil, { context, _, _ in sqlite3_result_null(context) }, nil, nil)
        }
    }

    deinit { sqlite3_close_v2(handle) }

    package func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Failure(code: code, text: String(cString: sqlite3_errmsg(handle))) }
    }

    /// All rows: values by column, as text with a letter for their storage class in front; NULL is nil.
    package func records(_ sql: String) throws -> [[String: String]] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw Failure(code: code, text: String(cString: sqlite3_errmsg(handle))) }
        defer { sqlite3_finalize(statement) }
        var rows: [[String: String]] = []
        while true {
            let step = sqlite3_step(statement)
            if step == SQLITE_DONE { return rows }
            guard step == SQLITE_ROW else { throw Failure(code: step, text: String(cString: sqlite3_errmsg(handle))) }
            var row: [String: String] = [:]
            for column in 0..<sqlite3_column_count(statement) {
                let name = String(cString: sqlite3_column_name(statement, column))
                switch sqlite3_column_type(statement, column) {
                case SQLITE_INTEGER: row[name] = "i\(sqlite3_column_int64(statement, column))"
                case SQLITE_FLOAT: row[name] = "r\(sqlite3_column_double(statement, column))"
                case SQLITE_TEXT: row[name] = sqlite3_column_text(statement, column).map { "t" + String(cString: $0) }
                case SQLITE_BLOB:
                    let count = Int(sqlite3_column_bytes(statement, column))
                    let bytes = UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)
                    row[name] = "b" + Data(bytes).base64EncodedString()
                default: break
                }
            }
            rows.append(row)
        }
    }

    /// The first column of the first row.
    package func text(_ sql: String) throws -> String? {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw Failure(code: code, text: String(cString: sqlite3_errmsg(handle))) }
        defer { sqlite3_finalize(statement) }
        guard sqlite3_step(statement) == SQLITE_ROW else { return nil }
        return sqlite3_column_text(statement, 0).map { String(cString: $0) }
    }

    /// All columns of all rows as text.
    package func rows(_ sql: String) throws -> [[String?]] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw Failure(code: code, text: String(cString: sqlite3_errmsg(handle))) }
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while true {
            let code = sqlite3_step(statement)
            if code == SQLITE_DONE { return rows }
            guard code == SQLITE_ROW else { throw Failure(code: code, text: String(cString: sqlite3_errmsg(handle))) }
            rows.append(
                (0..<sqlite3_column_count(statement)).map { sqlite3_column_text(statement, $0).map { String(cString: $0) } })
        }
    }
}
