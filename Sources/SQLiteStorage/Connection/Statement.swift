import CSQLite
import Foundation
import Storage

/// A prepared statement. Finalized when the last reference goes.
final class Statement {
    let handle: OpaquePointer
    let connection: Connection
    /// Whether it is being stepped through. Confined, like the connection, to one caller at a time.
    @exclusivity(unchecked) var isInUse = false

    init(_ handle: OpaquePointer, _ connection: Connection) {
        self.handle = handle
        self.connection = connection
    }

    deinit { sqlite3_finalize(handle) }

    /// - Returns: whether there is a row.
    @inline(__always) func step(_ phase: StorePhase) throws -> Bool {
        let result = sqlite3_step(handle)
        if result == SQLITE_ROW { return true }
        if result == SQLITE_DONE { return false }
        throw connection.failure(result, phase, doing: sql)
    }

    /// Runs a statement that gives no rows, and makes it ready for the next run.
    @inline(__always) func run(_ phase: StorePhase) throws {
        let result = sqlite3_step(handle)
        if result == SQLITE_DONE {
            sqlite3_reset(handle)
            return
        }
        if result == SQLITE_ROW {
            // A pragma answers with a row, which is not needed.
            sqlite3_reset(handle)
            return
        }
        let error = connection.failure(result, phase, doing: sql)
        sqlite3_reset(handle)
        throw error
    }

    @inline(__always) func reset() { sqlite3_reset(handle) }
    /// Releases what is bound: lists may be large.
    func clearBindings() { sqlite3_clear_bindings(handle) }

    @inline(__always) func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
    @inline(__always) func bind(_ value: Int, at index: Int32) { sqlite3_bind_int64(handle, index, Int64(value)) }
    @inline(__always) func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }
    @inline(__always) func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    func bind(_ value: String, at index: Int32) {
        var value = value
        value.withUTF8 { bytes in
            // A null pointer would bind NULL, so the empty string gets a pointer too.
            if let base = bytes.baseAddress {
                _ = base.withMemoryRebound(to: CChar.self, capacity: bytes.count) {
                    sqlite3_bind_text64(handle, index, $0, UInt64(bytes.count), Statement.transient, UInt8(SQLITE_UTF8))
                }
            } else {
                sqlite3_bind_text(handle, index, "", 0, Statement.transient)
            }
        }
    }

    /// - Parameter numbers: Entity numbers by index.
    func bind(_ value: RowValue, at index: Int32, numbers: [Int]) {
        switch value {
        case .integer(let value): bind(value, at: index)
        case .real(let value): sqlite3_bind_double(handle, index, value)
        case .text(let text): bind(text, at: index)
        case .bytes(let data): data.withUnsafeBytes { bind(blob: $0, at: index) }
        case .entity(let entity): bind(numbers[entity], at: index)
        case .list(let values): ValueList.bind(values, handle, index)
        }
    }

    func bind(blob bytes: UnsafeRawBufferPointer, at index: Int32) {
        if let base = bytes.baseAddress, !bytes.isEmpty {
            sqlite3_bind_blob64(handle, index, base, UInt64(bytes.count), Statement.transient)
        } else {
            sqlite3_bind_zeroblob(handle, index, 0)
        }
    }

    func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func real(_ column: Int32) -> Double { sqlite3_column_double(handle, column) }
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    func text(_ column: Int32) -> String? {
        guard let text = sqlite3_column_text(handle, column) else { return nil }
        return String(decoding: UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column))), as: UTF8.self)
    }

    /// Valid until the next step.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer {
        let blob = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(handle, column)))
    }

    var sql: String { sqlite3_sql(handle).map { String(cString: $0) } ?? "" }

    /// Tells SQLite to copy what is bound.
    static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }
}
