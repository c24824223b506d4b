import CSQLite
import DataModel
import Foundation
import Storage

/// Binds a row's values to a statement. Text and blobs are not copied where they lie in the row itself: the row outlives the
/// step.
struct RowBinder {
    let layout: EntityLayout
    /// Entity numbers by index.
    let numbers: [Int]
    let buffer: BindBuffer
    let url: URL

    func bind(_ row: Row, _ columns: UnsafeMutableBufferPointer<ColumnWriter>, _ statement: OpaquePointer) throws {
        buffer.reset()
        let slots = row.slots
        for column in columns {
            let slot = column.slot
            let parameter = column.parameter
            if Row.isNil(slots, slot) {
                if column.encoding == .externalBlob, let file = Row.unreadFile(slots, slot) {
                    bindReference(file, statement, parameter)
                } else {
                    sqlite3_bind_null(statement, parameter)
                }
                continue
            }
            var result: Int32
            switch column.encoding {
            case .integer, .boolean:
                result = sqlite3_bind_int64(statement, parameter, Int64(bitPattern: slots[slot]))
            case .foreignKey:
                let key = Int64(bitPattern: slots[slot])
                guard key > 0 else { throw failure(slot, "its destination has no key in the store yet") }
                result = sqlite3_bind_int64(statement, parameter, key)
            case .entityNumber:
                let index = Int(Int64(bitPattern: slots[slot]))
                guard numbers.indices.contains(index) else { throw failure(slot, "its destination has no entity of the model") }
                result = sqlite3_bind_int64(statement, parameter, Int64(numbers[index]))
            case .real, .float, .date:
                let number = Double(bitPattern: slots[slot])
                // SQLite would store NULL. Validation finds this, unless an override keeps it from looking.
                guard !number.isNaN else { throw failure(slot, "it is not a number") }
                result = sqlite3_bind_double(statement, parameter, number)
            case .decimal:
                let number = Row.storedDouble(slots, slot)
                guard !number.isNaN else { throw failure(slot, "it is not a number") }
                result = sqlite3_bind_double(statement, parameter, number)
            case .text:
                result = bindText(slots, slot, statement, parameter)
            case .uuid:
                result = bindBlob(Row.bytes(slots, slot), statement, parameter)
            case .blob:
                if SlotWord.isBoxed(slots[slot]) {
                    result = bindData(Row.data(slots, slot), prefix: nil, statement, parameter)
                } else {
                    result = bindBlob(Row.bytes(slots, slot), statement, parameter)
                }
            case .externalBlob:
                result = bindData(Row.data(slots, slot), prefix: ExternalData.inlineMarker, statement, parameter)
            case .transformable:
                if SlotWord.isBoxed(slots[slot]) {
                    guard let data = Row.transformedData(slots, slot) else { throw failure(slot, "it has no transformed bytes") }
                    result = bindData(data, prefix: nil, statement, parameter)
                } else {
                    result = bindBlob(Row.bytes(slots, slot), statement, parameter)
                }
            }
            guard result == SQLITE_OK else { throw failure(slot, String(cString: sqlite3_errstr(result)), result) }
        }
    }

    @inline(__always) private func bindText(
        _ slots: Row.Slots, _ slot: Int, _ statement: OpaquePointer, _ parameter: Int32
    ) -> Int32 {
        let bytes: UnsafeRawBufferPointer
        if SlotWord.isBoxed(slots[slot]) {
            var string = Row.string(slots, slot)
            bytes = string.withUTF8 { utf8 in
                let room = buffer.room(utf8.count + 1)
                if let base = utf8.baseAddress { room.copyMemory(from: base, byteCount: utf8.count) }
                return UnsafeRawBufferPointer(start: room, count: utf8.count)
            }
        } else {
            bytes = Row.bytes(slots, slot)
        }
        let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
        return sqlite3_bind_text64(statement, parameter, text, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8))
    }

    @inline(__always) private func bindBlob(
        _ bytes: UnsafeRawBufferPointer, _ statement: OpaquePointer, _ parameter: Int32
    ) -> Int32 {
        sqlite3_bind_blob64(statement, parameter, bytes.baseAddress, UInt64(bytes.count), nil)
    }

    /// A value that could not be read stays in its file.
    private func bindReference(_ file: UUID, _ statement: OpaquePointer, _ parameter: Int32) {
        let bytes = ExternalData.column(file)
        sqlite3_bind_blob64(statement, parameter, bytes, UInt64(bytes.count), Statement.transient)
    }

    private func bindData(_ data: Data, prefix: UInt8?, _ statement: OpaquePointer, _ parameter: Int32) -> Int32 {
        let extra = prefix == nil ? 0 : 1
        // One byte more: an empty blob needs a pointer, or SQLite takes it for NULL.
        let room = buffer.room(data.count + 1)
        if let prefix { room.storeBytes(of: prefix, as: UInt8.self) }
        data.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { (room + extra).copyMemory(from: base, byteCount: bytes.count) }
        }
        return sqlite3_bind_blob64(statement, parameter, room, UInt64(data.count + extra), nil)
    }

    private func failure(_ slot: Int, _ reason: String, _ result: Int32? = nil) -> NSError {
        StoreFailure.error(
            NSPersistentStoreSaveError,
            "“\(url.lastPathComponent)” can't be written: the value of “\(layout.name).\(layout.slots[slot].name)” "
                + "can't be stored: \(reason)",
            url: url, resultCode: result)
    }
}
