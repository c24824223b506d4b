import DataModel
import Foundation
import Storage

/// Reads rows of `ACHANGE`.
final class HistoryChangeReader {
    private let store: OpenStore
    private let url: URL
    private let tombstoneColumns: [String]
    /// By the entity's index.
    private var columns: [Int: HistoryColumns] = [:]
    private var tombstones: [Int: RowReader?] = [:]
    /// The names for the bits that were read last: many updates change the same properties.
    private var latest: (entity: Int, bits: [UInt8], names: [String])?

    /// Where the columns of the selection are.
    private enum Column {
        static let number: Int32 = 0
        static let kind: Int32 = 3
        static let entity: Int32 = 4
        static let key: Int32 = 5
        static let transaction: Int32 = 6
        static let bits: Int32 = 7
        static let firstTombstone: Int32 = 8
    }

    init(_ store: OpenStore, _ url: URL) {
        self.store = store
        self.url = url
        tombstoneColumns = (store.schema.columnOrder["ACHANGE"] ?? []).filter { $0.hasPrefix("ZTOMBSTONE") }
    }

    /// The first columns are those that a `RowReader` expects.
    var selection: String {
        let names = ["Z_PK", "Z_ENT", "0", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID", "ZCOLUMNS"]
        return "SELECT \((names + tombstoneColumns.map(SQLName.quoted)).joined(separator: ", ")) FROM ACHANGE"
    }

    /// - Returns: Nil for an entity that the model does not have.
    func read(_ row: Statement) throws -> HistoryChange? {
        let number = row.integer(Column.entity)
        let indices = store.mapping.indices
        guard number >= 0, number < indices.count, indices[Int(number)] >= 0 else { return nil }
        let entity = store.mapping.entities[Int(indices[Int(number)])]
        guard let kind = Int(exactly: row.integer(Column.kind)).flatMap(HistoryChange.Kind.init) else {
            throw damaged(row, "is of kind \(row.integer(Column.kind)), which is none")
        }
        let key = row.integer(Column.key)
        guard key > 0 else { throw damaged(row, "is of an object with key \(key), which no object has") }
        return HistoryChange(
            number: row.integer(Column.number), transaction: row.integer(Column.transaction), kind: kind, entity: entity.layout,
            key: key, updatedProperties: kind == .update ? names(row, entity.layout) : nil,
            tombstone: kind == .delete ? try tombstone(row, entity) : nil)
    }

    private func damaged(_ row: Statement, _ what: String) -> NSError {
        StoreFailure.damaged(url, "change \(row.integer(Column.number)) in its history \(what)")
    }

    private func names(_ row: Statement, _ layout: EntityLayout) -> [String]? {
        guard !row.isNull(Column.bits) else { return nil }
        let bits = row.blob(Column.bits)
        if let latest, latest.entity == layout.index, latest.bits.elementsEqual(bits) { return latest.names }
        let columns = columns[layout.index] ?? HistoryColumns(layout)
        self.columns[layout.index] = columns
        let names = columns.names(of: bits)
        latest = (layout.index, Array(bits), names)
        return names
    }

    private func tombstone(_ row: Statement, _ entity: StoredEntity) throws -> Row? {
        let reader: RowReader?
        if let known = tombstones[entity.layout.index] {
            reader = known
        } else {
            let columns = HistoryTombstones(entity, store).readers(tombstoneColumns, from: Column.firstTombstone)
            reader =
                columns.isEmpty
                ? nil
                : RowReader(
                    entity.layout, columns: columns, indices: store.mapping.indices, externalData: store.externalData)
            tombstones[entity.layout.index] = reader
        }
        return try reader?.read(row.handle, store.connection)
    }
}
