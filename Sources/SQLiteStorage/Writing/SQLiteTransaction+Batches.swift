import CSQLite
import DataModel
import Foundation
import Storage

extension SQLiteTransaction: BatchTransaction {
    var batches: (any BatchTransaction)? { self }

    /// So many keys go to a statement at most, as text.
    private static let pieceSize = 100_000

    private func pieces(_ keys: [Int64]) -> [ArraySlice<Int64>] {
        stride(from: 0, to: keys.count, by: Self.pieceSize).map { keys[$0..<min(keys.count, $0 + Self.pieceSize)] }
    }

    private func list(_ keys: ArraySlice<Int64>) -> String { "[" + keys.map(String.init).joined(separator: ",") + "]" }

    // MARK: Updates

    func update(_ keys: [Int64], entity: EntityLayout, assignments: BatchAssignments) throws {
        guard !keys.isEmpty else { return }
        let stored = mapping.entities[entity.index]
        var mask = assignments.mask
        for (slot, _) in assignments.computed { mask.insert(slot) }
        let plan = BatchUpdateSQL(mapping: mapping, entity: stored, mask: assignments.mask, computed: assignments.computed)
        let write = PreparedWrite(try connection.prepare(plan.text, .saving, isKept: false), plan.writers)
        let writer = store.writes.writer(entity.index)
        for piece in pieces(keys) {
            try check(plan, piece, entity, assignments)
            if plan.setsExternalData { try noteOrphans(piece, writer, where: { mask.contains($0.slot) }) }
            let changed = recorder == nil ? piece : ArraySlice(try existing(piece, stored))
            try writer.binder.bind(assignments.row, write.columns, write.handle)
            write.statement.bind(list(piece), at: plan.keysParameter)
            for (index, constant) in assignments.constants.enumerated() {
                write.statement.bind(constant, at: plan.firstConstant + Int32(index), numbers: mapping.numbers)
            }
            let result = withExtendedLifetime(assignments.row) { sqlite3_step(write.handle) }
            guard result == SQLITE_DONE else { throw batchFailure(result, write.statement, entity) }
            write.statement.reset()
            if let recorder { for key in changed { try recorder.record(.update, stored, key, mask: mask) } }
        }
    }

    /// - Throws: the validation error that saving would throw for a computed value.
    private func check(
        _ plan: BatchUpdateSQL, _ keys: ArraySlice<Int64>, _ entity: EntityLayout, _ assignments: BatchAssignments
    ) throws {
        guard let sql = plan.check else { return }
        let statement = try connection.prepare(sql, .saving, isKept: false)
        statement.bind(list(keys), at: plan.keysParameter)
        for (index, constant) in assignments.constants.enumerated() {
            statement.bind(constant, at: plan.firstConstant + Int32(index), numbers: mapping.numbers)
        }
        guard try statement.step(.saving) else { return }
        for (index, (slot, _)) in assignments.computed.enumerated() {
            let column = Int32(index + 1)
            let number = sqlite3_column_double(statement.handle, column)
            let type = entity.slots[slot].attributeType
            let isMissing = statement.isNull(column) && entity.requiredSlots.contains(slot)
            let problem = statement.isNull(column) ? nil : ValueProblem(computed: number, type)
            guard isMissing || problem != nil else { continue }
            let name = entity.slots[slot].name
            let reason = problem.map { "\($0.text(type)): \(number)" } ?? "is nil, and the attribute is required"
            throw StoreFailure.error(
                problem?.errorCode ?? NSValidationMissingMandatoryPropertyError,
                "The batch update of “\(entity.name)” can't be done: in row \(statement.integer(0)) the computed value of "
                    + "“\(name)” \(reason)",
                url: connection.url, userInfo: [NSValidationKeyErrorKey: name])
        }
        throw StoreFailure.error(
            NSManagedObjectValidationError,
            "The batch update of “\(entity.name)” can't be done: in row \(statement.integer(0)) a computed value is not valid",
            url: connection.url)
    }

    func versions(of keys: [Int64], entity: EntityLayout) throws -> [Int64: Int64] {
        let stored = mapping.entities[entity.index]
        var result: [Int64: Int64] = [:]
        for piece in pieces(keys) {
            let statement = try store.writes.statement(
                "SELECT Z_PK, Z_OPT FROM \(stored.table) WHERE Z_PK IN (SELECT value FROM json_each(?)) AND +Z_ENT = \(stored.number)"
            )
            statement.bind(list(piece), at: 1)
            defer { statement.reset() }
            while try statement.step(.saving) { result[statement.integer(0)] = statement.integer(1) }
        }
        return result
    }

    /// Those of the keys that have rows.
    private func existing(_ keys: ArraySlice<Int64>, _ stored: StoredEntity) throws -> [Int64] {
        let statement = try store.writes.statement(
            "SELECT Z_PK FROM \(stored.table) WHERE Z_PK IN (SELECT value FROM json_each(?)) AND +Z_ENT = \(stored.number) "
                + "ORDER BY Z_PK")
        statement.bind(list(keys), at: 1)
        defer { statement.reset() }
        var result: [Int64] = []
        while try statement.step(.saving) { result.append(statement.integer(0)) }
        return result
    }

    private func batchFailure(_ result: Int32, _ statement: Statement, _ entity: EntityLayout) -> NSError {
        let text = String(cString: sqlite3_errmsg(connection.handle))
        defer { statement.reset() }
        guard result == UniquenessFailure.resultCode else { return connection.failure(result, .saving, doing: statement.sql) }
        return UniquenessFailure(mapping: mapping, message: text).error(row: nil, entity: entity, url: connection.url)
    }

    // MARK: Deletions

    func delete(_ keys: [Int64], entity: EntityLayout) throws {
        guard !keys.isEmpty else { return }
        let stored = mapping.entities[entity.index]
        let writer = store.writes.writer(entity.index)
        for piece in pieces(keys) {
            if !writer.externalColumns.isEmpty { try noteOrphans(piece, writer, where: { _ in true }) }
            // The history copies values out of the rows.
            if let recorder { for key in piece { try recorder.recordDelete(stored, key, version: nil) } }
            let text = list(piece)
            for sql in [deletion(stored)] + writer.cleanUpSQL(keys: "IN (SELECT value FROM json_each(?1))") {
                let statement = try store.writes.statement(sql)
                statement.bind(text, at: 1)
                try statement.run(.saving)
            }
        }
    }

    private func deletion(_ stored: StoredEntity) -> String {
        "DELETE FROM \(stored.table) WHERE Z_PK IN (SELECT value FROM json_each(?1)) AND +Z_ENT = \(stored.number)"
    }

    private func noteOrphans(
        _ keys: ArraySlice<Int64>, _ writer: EntityWriter, where isConcerned: (StoredColumn) -> Bool
    ) throws {
        for column in writer.externalColumns where isConcerned(column) {
            let statement = try store.writes.statement(
                "SELECT \(column.name) FROM \(writer.stored.table) WHERE Z_PK IN (SELECT value FROM json_each(?)) "
                    + "AND length(\(column.name)) < 40")
            statement.bind(list(keys), at: 1)
            defer { statement.reset() }
            while try statement.step(.saving) {
                if let file = ExternalData.file(statement.blob(0)) { orphans.append(file) }
            }
        }
    }
}
