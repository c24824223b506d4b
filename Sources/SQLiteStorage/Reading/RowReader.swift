import CSQLite
import DataModel
import Foundation
import Storage

/// Decodes the rows of one concrete entity from a statement's result.
///
/// Every column is read by its declared type; SQLite is asked for the stored type only where the value could be a NULL.
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
    func read(_ statement: OpaquePointer, _ connection: Connection) throws -> Row {
        let writer = writer
        for reader in columns {
            let column = reader.column
            switch reader.encoding {
            case .foreignKey:
                let value = sqlite3_column_int64(statement, column)
                if value <= 0 {
                    if sqlite3_column_type(statement, column) == SQLITE_NULL { continue }
                    if value < 0 { throw notAKey(statement, reader, value, connection) }
                }
                writer.setInteger(reader.slot, value)
            case .integer:
                let value = sqlite3_column_int64(statement, column)
                if value == 0, sqlite3_column_type(statement, column) == SQLITE_NULL { continue }
                writer.setInteger(reader.slot, value)
            case .real:
                let value = sqlite3_column_double(statement, column)
                if value == 0, sqlite3_column_type(statement, column) == SQLITE_NULL { continue }
                writer.setDouble(reader.slot, value)
            case .text:
                guard let text = sqlite3_column_text(statement, column) else { continue }
                writer.setBytes(
                    reader.slot, UnsafeRawBufferPointer(start: text, count: Int(sqlite3_column_bytes(statement, column))))
            case .decimal:
                let value = sqlite3_column_double(statement, column)
                if value == 0, sqlite3_column_type(statement, column) == SQLITE_NULL { continue }
                writer.setDecimal(reader.slot, value)
            case .uuid:
                guard let blob = blob(statement, column) else { continue }
                guard blob.count == 16 else { throw notAUUID(statement, reader, blob.count, connection) }
                writer.setBytes(reader.slot, blob)
            case .blob, .transformable:
                guard let blob = blob(statement, column) else { continue }
                writer.setBytes(reader.slot, blob)
            case .externalBlob:
                guard let blob = blob(statement, column) else { continue }
                setExternal(reader.slot, blob)
            case .entityNumber:
                guard sqlite3_column_type(statement, reader.keyColumn) != SQLITE_NULL else { continue }
                let number = Int(sqlite3_column_int64(statement, column))
                let index = indices.indices.contains(number) ? Int64(indices[number]) : -1
                writer.setInteger(reader.slot, index < 0 ? reader.destination : index)
            }
        }
        return writer.finish(version: sqlite3_column_int64(statement, 2))
    }

    /// SQLite has a null pointer for an empty blob as well as for NULL.
    @inline(__always) private func blob(_ statement: OpaquePointer, _ column: Int32) -> UnsafeRawBufferPointer? {
        if let blob = sqlite3_column_blob(statement, column) {
            return UnsafeRawBufferPointer(start: blob, count: Int(sqlite3_column_bytes(statement, column)))
        }
        return sqlite3_column_type(statement, column) == SQLITE_NULL ? nil : UnsafeRawBufferPointer(start: nil, count: 0)
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

    /// Keys below zero are those of objects that no store has.
    private func notAKey(_ statement: OpaquePointer, _ reader: ColumnReader, _ value: Int64, _ connection: Connection) -> NSError
    {
        // Forget what was read of the row.
        _ = writer.finish(version: 0)
        return StoreFailure.damaged(
            connection.url,
            "“\(layout.name).\(layout.slots[reader.slot].name)” in row \(sqlite3_column_int64(statement, 0)) is \(value), which is not the "
                + "key of a row")
    }

    private func notAUUID(_ statement: OpaquePointer, _ reader: ColumnReader, _ count: Int, _ connection: Connection) -> NSError {
        // Forget what was read of the row.
        _ = writer.finish(version: 0)
        let key = sqlite3_column_int64(statement, 0)
        return StoreFailure.error(
            CocoaError.fileReadCorruptFile.rawValue,
            "“\(connection.url.lastPathComponent)” is damaged: the value of "
                + "“\(layout.name).\(layout.slots[reader.slot].name)” in row \(key) is no UUID (\(count) bytes instead of 16)",
            url: connection.url)
    }
}
