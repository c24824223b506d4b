import CSQLite
import DataModel
import Storage

/// The prepared statements that write one entity's rows.
final class EntityWriter {
    let stored: StoredEntity
    let binder: RowBinder
    /// The slots of foreign keys whose rows have an order, with the key's columns.
    let orderedKeys: [(slot: Int, key: ForeignKey)]
    /// Columns that may name files.
    let externalColumns: [StoredColumn]

    private let connection: Connection
    private let mapping: StoreMapping
    @exclusivity(unchecked) private var insertStatement: PreparedWrite?
    @exclusivity(unchecked) private var deleteStatement: Statement?
    @exclusivity(unchecked) private var cleanUpStatements: [Statement]?
    @exclusivity(unchecked) private var updateStatements: [SlotMask: PreparedWrite] = [:]

    private static let greatestCount = 256

    init(_ connection: Connection, _ mapping: StoreMapping, entity: Int, buffer: BindBuffer) {
        self.connection = connection
        self.mapping = mapping
        let stored = mapping.entities[entity]
        self.stored = stored
        binder = RowBinder(layout: stored.layout, numbers: mapping.numbers, buffer: buffer, url: connection.url)
        externalColumns = stored.columns.filter { $0.encoding == .externalBlob }
        orderedKeys = stored.columns.compactMap { column in
            guard column.encoding == .foreignKey, let order = column.orderColumn else { return nil }
            return (column.slot, ForeignKey(table: stored.table, column: column.name, orderColumn: order))
        }
    }

    /// Parameter 1 is the key.
    func insert() throws -> PreparedWrite {
        if let insertStatement { return insertStatement }
        let columns = stored.columns.filter { !$0.isKeptByTriggers }
        let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.name.text)
        let values = ["?", String(stored.number), "1"] + columns.map { _ in "?" }
        let sql = "INSERT INTO \(stored.table) (\(names.joined(separator: ", "))) VALUES (\(values.joined(separator: ", ")))"
        let writers = columns.enumerated().map { ColumnWriter(encoding: $1.encoding, slot: $1.slot, parameter: Int32($0 + 2)) }
        let write = PreparedWrite(try connection.prepare(sql, .saving), writers)
        insertStatement = write
        return write
    }

    /// Behind the columns come three parameters: the new version, the key, the expected version.
    func update(_ mask: SlotMask) throws -> PreparedWrite {
        if let known = updateStatements[mask] { return known }
        let columns = stored.columns.filter { column in
            if column.isKeptByTriggers { return false }
            if mask.contains(column.slot) { return true }
            guard column.encoding == .entityNumber else { return false }
            return stored.layout.relationship(slot: column.slot).map { mask.contains($0.slot) } ?? false
        }
        var assignments: [String] = []
        for (index, column) in columns.enumerated() {
            assignments.append("\(column.name) = ?\(index + 1)")
            // The position among the old owner's rows means nothing to a new owner.
            if let order = column.orderColumn {
                assignments.append("\(order) = CASE WHEN \(column.name) IS ?\(index + 1) THEN \(order) END")
            }
        }
        let last = columns.count
        assignments.append("Z_OPT = ?\(last + 1)")
        let sql =
            "UPDATE \(stored.table) SET \(assignments.joined(separator: ", ")) WHERE Z_PK = ?\(last + 2) AND Z_OPT = ?\(last + 3)"
        let writers = columns.enumerated().map { ColumnWriter(encoding: $1.encoding, slot: $1.slot, parameter: Int32($0 + 1)) }
        let write = PreparedWrite(try connection.prepare(sql, .saving), writers)
        if updateStatements.count >= EntityWriter.greatestCount { updateStatements.removeAll() }
        updateStatements[mask] = write
        return write
    }

    /// Parameters: key, expected version.
    func delete() throws -> Statement {
        if let deleteStatement { return deleteStatement }
        let statement = try connection.prepare("DELETE FROM \(stored.table) WHERE Z_PK = ? AND Z_OPT = ?", .saving)
        deleteStatement = statement
        return statement
    }

    /// Statements that remove a deleted row's pairs from join tables and its key from hidden foreign keys. Parameter: key.
    func cleanUp() throws -> [Statement] {
        if let cleanUpStatements { return cleanUpStatements }
        let statements = try cleanUpSQL(keys: "= ?1").map { try connection.prepare($0, .saving) }
        cleanUpStatements = statements
        return statements
    }

    /// - Parameter keys: The condition on a key.
    func cleanUpSQL(keys: String) -> [String] {
        var sql: [String] = []
        for relationship in stored.layout.relationships {
            switch mapping.places[relationship.id] {
            case .join(let side)?:
                sql.append("DELETE FROM \(side.table) WHERE \(side.owner) \(keys)")
                if side.isReflexive { sql.append("DELETE FROM \(side.table) WHERE \(side.member) \(keys)") }
            case .members(let key, isHidden: true)?:
                let order = key.orderColumn.map { ", \($0) = NULL" } ?? ""
                sql.append("UPDATE \(key.table) SET \(key.column) = NULL\(order) WHERE \(key.column) \(keys)")
            default: break
            }
        }
        return sql
    }
}
