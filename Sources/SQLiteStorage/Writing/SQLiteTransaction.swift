import CSQLite
import DataModel
import Foundation
import Storage

/// One save: writes rows and keeps what has to be written or done at its end.
final class SQLiteTransaction: SaveTransaction {
    let store: OpenStore
    let connection: Connection
    let mapping: StoreMapping
    let recorder: HistoryRecorder?
    /// The highest key handed out, by root entity, and whether the store has to be told.
    @exclusivity(unchecked) private var highestKeys: [Int: (key: Int64, isRaised: Bool)] = [:]
    /// Rows whose foreign key was written and that may still lack a position among the owner's rows.
    @exclusivity(unchecked) private var unordered: [ForeignKey: [Int64]] = [:]
    /// Files of external data that no row names once the save has succeeded.
    @exclusivity(unchecked) var orphans: [UUID] = []

    init(_ store: OpenStore) {
        self.store = store
        connection = store.connection
        mapping = store.mapping
        recorder = store.schema.hasHistory ? HistoryRecorder(store) : nil
    }

    func describe(author: String?, contextName: String?) {
        recorder?.author = author
        recorder?.contextName = contextName
    }

    // MARK: Keys

    func reserveKeys(_ count: Int, root: EntityLayout) throws -> Int64 {
        let last = try highestKey(root.root)
        if count > 0 { highestKeys[root.root] = (try keys.raise(last, by: count, owner: owner(root.root)), true) }
        return last &+ 1
    }

    private var keys: HighestKeys { HighestKeys(writes: store.writes, url: connection.url) }

    private func owner(_ root: Int) -> String { "“\(mapping.layout.entities[root].name)”" }

    private func highestKey(_ root: Int) throws -> Int64 {
        if let known = highestKeys[root] { return known.key }
        let key = try keys.highest(of: mapping.numbers[root], in: mapping.table(of: root), owner: owner(root))
        highestKeys[root] = (key, false)
        return key
    }

    // MARK: Rows

    func insert(_ changes: [RowChange], entity: EntityLayout) throws {
        guard !changes.isEmpty else { return }
        let writer = store.writes.writer(entity.index)
        let write = try writer.insert()
        let handle = write.handle
        // Read once: a reading retains all that the binder holds.
        let binder = writer.binder
        var highest: Int64 = 0
        for change in changes {
            try binder.bind(change.row, write.columns, handle)
            sqlite3_bind_int64(handle, 1, change.key)
            let result = withExtendedLifetime(change.row) { sqlite3_step(handle) }
            guard result == SQLITE_DONE else { throw failure(result, write.statement, entity, change.key) }
            sqlite3_reset(handle)
            if change.key > highest { highest = change.key }
            if change.expectedVersion > 0 { try setVersion(change, writer) }
            if let recorder { try recorder.record(.insert, writer.stored, change.key) }
        }
        if try highest > highestKey(entity.root) { highestKeys[entity.root] = (highest, true) }
        noteOrders(changes, writer, isInsert: true)
    }

    /// A row that was deleted and comes back goes on counting, so that it is not taken for the one read before.
    private func setVersion(_ change: RowChange, _ writer: EntityWriter) throws {
        let statement = try store.writes.statement("UPDATE \(writer.stored.table) SET Z_OPT = ? WHERE Z_PK = ?")
        statement.bind(try next(change, writer.stored.layout), at: 1)
        statement.bind(change.key, at: 2)
        try statement.run(.saving)
    }

    /// The version that a row gets.
    @inline(__always) private func next(_ change: RowChange, _ entity: EntityLayout) throws -> Int64 {
        guard change.expectedVersion < .max else { throw badVersion(change.key, entity, "\(change.expectedVersion)") }
        return change.expectedVersion + 1
    }

    /// An unchanged row whose version is not a whole number would look changed for ever.
    private func requireVersion(_ change: RowChange, _ entity: StoredEntity) throws {
        let statement = try store.writes.statement("SELECT typeof(Z_OPT), Z_OPT FROM \(entity.table) WHERE Z_PK = ?")
        statement.bind(change.key, at: 1)
        defer { statement.reset() }
        guard try statement.step(.saving), statement.text(0) != "integer" else { return }
        throw badVersion(change.key, entity.layout, statement.text(1).map { "“\($0)”" } ?? "NULL")
    }

    private func badVersion(_ key: Int64, _ entity: EntityLayout, _ found: String) -> NSError {
        StoreFailure.damaged(
            connection.url,
            "the version (Z_OPT) of row \(key) of “\(entity.name)” is \(found), which can't be incremented")
    }

    func vacate(_ slots: [Int], keys: [Int64], entity: EntityLayout) throws {
        let stored = mapping.entities[entity.index]
        let columns = slots.compactMap { stored.column(slot: $0)?.name }
        guard !columns.isEmpty, !keys.isEmpty else { return }
        let assignments = columns.map { "\($0) = NULL" }.joined(separator: ", ")
        let statement = try store.writes.statement("UPDATE \(stored.table) SET \(assignments) WHERE Z_PK = ?")
        for key in keys {
            statement.bind(key, at: 1)
            try statement.run(.saving)
        }
    }

    func update(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64] {
        let writer = store.writes.writer(entity.index)
        let binder = writer.binder
        var conflicts: [Int64] = []
        var current: (mask: SlotMask, write: PreparedWrite)?
        for change in changes {
            let write: PreparedWrite
            if let current, current.mask == change.mask {
                write = current.write
            } else {
                write = try writer.update(change.mask)
                current = (change.mask, write)
            }
            if !writer.externalColumns.isEmpty { try noteOrphans(writer, change) { change.mask.contains($0.slot) } }
            let handle = write.handle
            let last = Int32(write.columns.count)
            try binder.bind(change.row, write.columns, handle)
            sqlite3_bind_int64(handle, last + 1, try next(change, entity))
            sqlite3_bind_int64(handle, last + 2, change.key)
            sqlite3_bind_int64(handle, last + 3, change.expectedVersion)
            let result = withExtendedLifetime(change.row) { sqlite3_step(handle) }
            guard result == SQLITE_DONE else { throw failure(result, write.statement, entity, change.key) }
            sqlite3_reset(handle)
            if sqlite3_changes(connection.handle) == 0 {
                try requireVersion(change, writer.stored)
                conflicts.append(change.key)
            } else if let recorder {
                try recorder.record(.update, writer.stored, change.key, mask: change.mask)
            }
        }
        noteOrders(changes, writer, isInsert: false)
        return conflicts
    }

    func delete(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64] {
        let writer = store.writes.writer(entity.index)
        let statement = try writer.delete()
        let cleanUp = try writer.cleanUp()
        var conflicts: [Int64] = []
        for change in changes {
            if !writer.externalColumns.isEmpty { try noteOrphans(writer, change) { _ in true } }
            // The history copies values out of the row, so it comes first; it finds nothing where the version is another one.
            if let recorder { try recorder.recordDelete(writer.stored, change.key, version: change.expectedVersion) }
            statement.bind(change.key, at: 1)
            statement.bind(change.expectedVersion, at: 2)
            try statement.run(.saving)
            guard sqlite3_changes(connection.handle) > 0 else {
                try requireVersion(change, writer.stored)
                conflicts.append(change.key)
                continue
            }
            for other in cleanUp {
                other.bind(change.key, at: 1)
                try other.run(.saving)
            }
        }
        return conflicts
    }

    func apply(_ changes: [MembershipChange]) throws {
        let writer = MembershipWriter(store)
        for change in changes { try writer.apply(change) }
    }

    // MARK: The end of a save

    private func noteOrders(_ changes: [RowChange], _ writer: EntityWriter, isInsert: Bool) {
        for (slot, key) in writer.orderedKeys {
            for change in changes where (isInsert || change.mask.contains(slot)) && !change.row.isNil(slot) {
                unordered[key, default: []].append(change.key)
            }
        }
    }

    private func noteOrphans(_ writer: EntityWriter, _ change: RowChange, where isConcerned: (StoredColumn) -> Bool) throws {
        for column in writer.externalColumns where isConcerned(column) {
            let statement = try store.writes.statement(
                "SELECT \(column.name) FROM \(writer.stored.table) WHERE Z_PK = ? AND Z_OPT = ? AND length(\(column.name)) < 40")
            statement.bind(change.key, at: 1)
            statement.bind(change.expectedVersion, at: 2)
            defer { statement.reset() }
            if try statement.step(.saving), let file = ExternalData.file(statement.blob(0)) { orphans.append(file) }
        }
    }

    /// Writes what comes last, before the commit.
    func finish() throws {
        try completeOrders()
        try store.derivedValues?.update(store.writes)
        try recorder?.finish()
        try keepNamedFiles()
        let statement = try store.writes.statement("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?")
        for (root, highest) in highestKeys where highest.isRaised {
            statement.bind(highest.key, at: 1)
            statement.bind(mapping.numbers[root], at: 2)
            try statement.run(.saving)
        }
    }

    /// A file that another row names, too, is not an orphan, nor is one whose value was written back unread.
    private func keepNamedFiles() throws {
        guard !orphans.isEmpty else { return }
        let columns = RowValue.list(orphans.map { .bytes(Data(ExternalData.column($0))) })
        var named: Set<UUID> = []
        var seen: Set<String> = []
        for stored in mapping.entities {
            for column in stored.columns
            where column.encoding == .externalBlob && seen.insert("\(stored.table).\(column.name)").inserted {
                let statement = try store.writes.statement(
                    "SELECT \(column.name) FROM \(stored.table) WHERE length(\(column.name)) < 40 "
                        + "AND \(column.name) IN (SELECT value FROM \(ValueList.moduleName)(?))")
                statement.bind(columns, at: 1, numbers: mapping.numbers)
                defer {
                    statement.reset()
                    statement.clearBindings()
                }
                while try statement.step(.saving) {
                    if let file = ExternalData.file(statement.blob(0)) { named.insert(file) }
                }
            }
        }
        orphans.removeAll(where: named.contains)
    }

    /// Rows of an ordered relationship without a given position go to the end.
    private func completeOrders() throws {
        for (key, rows) in unordered {
            guard let order = key.orderColumn else { continue }
            let statement = try store.writes.statement(
                "UPDATE \(key.table) SET \(order) = (SELECT \(OrderKeys.next(order)) "
                    + "FROM \(key.table) b WHERE b.\(key.column) = \(key.table).\(key.column)) "
                    + "WHERE Z_PK = ? AND \(key.column) NOT NULL AND \(order) IS NULL")
            for row in rows {
                statement.bind(row, at: 1)
                try statement.run(.saving)
            }
        }
    }

    // MARK: Failures

    private func failure(_ result: Int32, _ statement: Statement, _ entity: EntityLayout, _ key: Int64) -> NSError {
        let text = String(cString: sqlite3_errmsg(connection.handle))
        defer { statement.reset() }
        guard result == UniquenessFailure.resultCode else { return connection.failure(result, .saving, doing: statement.sql) }
        return UniquenessFailure(mapping: mapping, message: text).error(row: key, entity: entity, url: connection.url)
    }
}
