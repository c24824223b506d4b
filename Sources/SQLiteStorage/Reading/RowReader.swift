import CSQLite
import DataModel
import Foundation
import Storage

/// Decodes the rows of one concrete entity from a statement's result.
///
/// Every column is read by its declared type. What another program put there of another type is an error.
final class RowReader {
    let entity: Int
    private let layout: EntityLayout
    private let writer: RowWriter
    private let columns: UnsafeMutableBufferPointer<ColumnReader>
    /// Entity indices by number.
    private let indices: [Int32]
    private let externalData: ExternalData

    init(_ layout: EntityLayout, columns: [ColumnReader], indices: [Int32], externalData: ExternalData) {
        entity = layout.index
        self.layout = layout
        writer = RowWriter(layout)
        self.columns = .allocate(capacity: columns.count)
        _ = self.columns.initialize(from: columns)
        self.indices = indices
        self.externalData = externalData
    }

    deinit { columns.deallocate() }

    /// The current row of `statement`, whose first columns are Z_PK, Z_ENT and Z_OPT.
    ///
    /// - Throws: 259 for a value that the attribute can't have, 263 for a row of more than 4 GB. It stays in the file as it is.
    func read(_ statement: OpaquePointer, _ connection: Connection) throws -> Row {
        let writer = writer
        for index in columns.indices {
            // A reference, because copying a whole reader for each value costs more than the fields that are needed.
            let reader = columns.baseAddress.unsafelyUnwrapped + index
            // One look at the column answers all questions about it. The value may be used only while no other thread uses the
            // connection.
            let value = sqlite3_column_value(statement, reader.pointee.column)
            let type = sqlite3_value_type(value)
            guard reader.pointee.acceptedTypes >> UInt32(truncatingIfNeeded: type) & 1 != 0 else {
                if type == SQLITE_NULL { continue }
                throw damaged(statement, reader.pointee, value, connection)
            }
            switch reader.pointee.encoding {
            case .integer:
                writer.setInteger(reader.pointee.slot, sqlite3_value_int64(value))
            case .foreignKey:
                let key = sqlite3_value_int64(value)
                guard key >= 0 else { throw damaged(statement, reader.pointee, value, connection) }
                writer.setInteger(reader.pointee.slot, key)
            case .boolean:
                writer.setInteger(reader.pointee.slot, sqlite3_value_int64(value) == 0 ? 0 : 1)
            case .real:
                writer.setDouble(reader.pointee.slot, sqlite3_value_double(value))
            case .float:
                writer.setDouble(reader.pointee.slot, ValueDomain.float(sqlite3_value_double(value)))
            case .date:
                let seconds = sqlite3_value_double(value)
                guard seconds.isFinite else { throw damaged(statement, reader.pointee, value, connection) }
                writer.setDouble(reader.pointee.slot, seconds)
            case .decimal:
                let number = sqlite3_value_double(value)
                guard ColumnEncoding.isDecimal(number) else { throw damaged(statement, reader.pointee, value, connection) }
                writer.setDecimal(reader.pointee.slot, number)
            case .text:
                guard let text = sqlite3_value_text(value) else { continue }
                writer.setBytes(reader.pointee.slot, UnsafeRawBufferPointer(start: text, count: Int(sqlite3_value_bytes(value))))
            case .uuid:
                let blob = blob(value)
                guard blob.count == 16 else { throw damaged(statement, reader.pointee, value, connection) }
                writer.setBytes(reader.pointee.slot, blob)
            case .blob, .transformable:
                writer.setBytes(reader.pointee.slot, blob(value))
            case .externalBlob:
                setExternal(reader.pointee.slot, blob(value))
            case .entityNumber:
                guard sqlite3_column_type(statement, reader.pointee.keyColumn) != SQLITE_NULL else { continue }
                let number = Int(sqlite3_value_int64(value))
                let index = indices.indices.contains(number) ? Int64(indices[number]) : -1
                writer.setInteger(reader.pointee.slot, index < 0 ? reader.pointee.destination : index)
            }
        }
        do { return try writer.finish(version: sqlite3_column_int64(statement, 2)) } catch {
            throw tooLarge(sqlite3_column_int64(statement, 0), connection)
        }
    }

    /// SQLite has a null pointer for an empty blob.
    @inline(__always) private func blob(_ value: OpaquePointer?) -> UnsafeRawBufferPointer {
        guard let blob = sqlite3_value_blob(value) else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_value_bytes(value)))
    }

    /// A value whose file can't be read stays unread; the column stays as it is unless the attribute is set.
    private func setExternal(_ slot: Int, _ blob: UnsafeRawBufferPointer) {
        if blob.first == ExternalData.inlineMarker {
            writer.setBytes(slot, UnsafeRawBufferPointer(rebasing: blob.dropFirst()))
        } else if let file = ExternalData.file(blob) {
            if let data = try? externalData.contents(file) { writer.setData(slot, data) } else { writer.setUnread(slot, file) }
        } else {
            writer.setBytes(slot, blob)
        }
    }

    @inline(never) private func tooLarge(_ key: Int64, _ connection: Connection) -> NSError {
        StoreFailure.error(
            CocoaError.fileReadTooLarge.rawValue,
            "“\(connection.url.lastPathComponent)” can't be read: the values of “\(layout.name)” in row \(key) have more than 4 GB together",
            url: connection.url)
    }

    @inline(never) private func damaged(
        _ statement: OpaquePointer, _ reader: ColumnReader, _ value: OpaquePointer?, _ connection: Connection
    ) -> NSError {
        let reason = reader.encoding.problem(value) ?? "is not valid"
        // Forget what was read of the row.
        writer.discard()
        let key = sqlite3_column_int64(statement, 0)
        return StoreFailure.damagedValue(layout, reader.slot, "in row \(key) \(reason)", connection.url)
    }
}
