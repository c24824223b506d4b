import CSQLite
import DataModel
import Foundation
import Storage

/// Records a save in the history tables of a store that has them, so that other readers learn of it.
///
/// Both forms are written: strings in a table of their own (from framework 1044 on), and in the transaction's row.
final class HistoryRecorder {
    private static let changes = SQLName(known: "ACHANGE")
    static let transactions = SQLName(known: "ATRANSACTION")
    private static let strings = SQLName(known: "ATRANSACTIONSTRING")

    enum Number {
        static let change = 16001
        static let transaction = 16002
        static let string = 16003
    }

    var author: String?
    var contextName: String?

    private let store: OpenStore
    private var transaction: Int64 = 0
    private var lastChange: Int64 = 0
    private var hasRecorded = false
    private var insertStatement: Statement?
    /// By the entity's index.
    private var columns: [Int: HistoryColumns] = [:]
    private var deleteStatements: [Int: Statement] = [:]

    init(_ store: OpenStore) { self.store = store }

    private var keys: HighestKeys { HighestKeys(writes: store.writes, url: store.connection.url) }

    private func highest(_ number: Int, _ table: SQLName) throws -> Int64 {
        try keys.highest(of: number, in: table, owner: "\(table)")
    }

    private func next(_ key: Int64, _ table: SQLName) throws -> Int64 { try keys.raise(key, by: 1, owner: "\(table)") }

    private func setHighest(_ number: Int, _ key: Int64) throws {
        let statement = try store.writes.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
        statement.bind(key, at: 1)
        statement.bind(number, at: 2)
        try statement.run(.saving)
    }

    private func begin() throws {
        guard transaction == 0 else { return }
        transaction = try next(highest(Number.transaction, Self.transactions), Self.transactions)
        lastChange = try highest(Number.change, Self.changes)
    }

    // MARK: Changes

    func record(_ type: HistoryChange.Kind, _ entity: StoredEntity, _ key: Int64, mask: SlotMask? = nil) throws {
        try begin()
        lastChange = try next(lastChange, Self.changes)
        hasRecorded = true
        let statement = try changeStatement()
        statement.bind(lastChange, at: 1)
        statement.bind(type.rawValue, at: 2)
        statement.bind(entity.number, at: 3)
        statement.bind(key, at: 4)
        statement.bind(transaction, at: 5)
        if let mask {
            columns(entity.layout, mask).withUnsafeBytes { statement.bind(blob: $0, at: 6) }
        } else {
            statement.bindNull(at: 6)
        }
        try statement.run(.saving)
    }

    private func changeStatement() throws -> Statement {
        if let insertStatement { return insertStatement }
        let statement = try store.writes.statement(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) "
                + "VALUES (?, \(Number.change), NULL, ?, ?, ?, ?, ?)")
        insertStatement = statement
        return statement
    }

    /// Keeps the values of attributes that are preserved after deletion. Records nothing if the row is gone or has another
    /// version; without one any will do.
    func recordDelete(_ entity: StoredEntity, _ key: Int64, version: Int64?) throws {
        try begin()
        let statement = try deleteStatement(entity)
        let change = try next(lastChange, Self.changes)
        statement.bind(change, at: 1)
        statement.bind(transaction, at: 2)
        statement.bind(key, at: 3)
        if let version { statement.bind(version, at: 4) } else { statement.bindNull(at: 4) }
        try statement.run(.saving)
        guard store.connection.changes > 0 else { return }
        lastChange = change
        hasRecorded = true
    }

    private func deleteStatement(_ entity: StoredEntity) throws -> Statement {
        if let known = deleteStatements[entity.number] { return known }
        let tombstones = HistoryTombstones(entity, store).columns
        let names = tombstones.map { ", \($0.name)" }.joined()
        let values = tombstones.map { ", \($0.column)" }.joined()
        let statement = try store.writes.statement(
            "INSERT INTO ACHANGE (Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(names)) "
                + "SELECT ?1, \(Number.change), NULL, \(HistoryChange.Kind.delete.rawValue), Z_ENT, Z_PK, ?2, NULL\(values) "
                + "FROM \(entity.table) WHERE Z_PK = ?3 AND (?4 IS NULL OR Z_OPT = ?4)")
        deleteStatements[entity.number] = statement
        return statement
    }

    private func columns(_ layout: EntityLayout, _ mask: SlotMask) -> [UInt8] {
        if let known = columns[layout.index] { return known.bits(of: mask) }
        let new = HistoryColumns(layout)
        columns[layout.index] = new
        return new.bits(of: mask)
    }

    // MARK: The transaction

    /// Writes the transaction's row, if anything was recorded.
    func finish() throws {
        guard hasRecorded else { return }
        let columns = store.schema.tables["ATRANSACTION"] ?? [:]
        let strings: [(column: String, value: String?)] = [
            ("ZAUTHOR", author), ("ZBUNDLEID", Bundle.main.bundleIdentifier), ("ZCONTEXTNAME", contextName),
            ("ZPROCESSID", ProcessInfo.processInfo.processName),
        ]
        var names = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
        var values: [(Statement, Int32) -> Void] = []
        for (column, value) in strings {
            guard let value else { continue }
            if columns[column + "TS"] != nil, store.schema.tables["ATRANSACTIONSTRING"] != nil {
                let key = try stringKey(value)
                names.append(column + "TS")
                values.append { $0.bind(key, at: $1) }
            } else if columns[column] != nil {
                names.append(column)
                values.append { $0.bind(value, at: $1) }
            }
        }
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        let statement = try store.writes.statement(
            "INSERT INTO ATRANSACTION (\(names.joined(separator: ", "))) VALUES (\(marks))")
        statement.bind(transaction, at: 1)
        statement.bind(Number.transaction, at: 2)
        sqlite3_bind_double(statement.handle, 3, Date().timeIntervalSinceReferenceDate)
        for (index, bind) in values.enumerated() { bind(statement, Int32(index + 4)) }
        try statement.run(.saving)
        try setHighest(Number.transaction, transaction)
        try setHighest(Number.change, lastChange)
    }

    private func stringKey(_ value: String) throws -> Int64 {
        let find = try store.writes.statement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?")
        find.bind(value, at: 1)
        do {
            defer { find.reset() }
            if try find.step(.saving) { return find.integer(0) }
        }
        let key = try next(highest(Number.string, Self.strings), Self.strings)
        let insert = try store.writes.statement(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, \(Number.string), ?)")
        insert.bind(key, at: 1)
        insert.bind(value, at: 2)
        try insert.run(.saving)
        try setHighest(Number.string, key)
        return key
    }
}
