import DataModel
import Foundation
import Storage

/// Changes the tables of an open store, inside of a transaction, from those of one model to those of another.
struct MigrationRun {
    let connection: Connection
    let mapping: MigrationMapping
    let request: InPlaceMigrationRequest
    let file: FileSchema
    let externalData: ExternalData
    /// The files of external values that no row names any more.
    private(set) var orphans: Set<UUID> = []

    private var model: NSManagedObjectModel { request.inference.match.destination }

    init(
        _ connection: Connection, _ mapping: MigrationMapping, _ request: InPlaceMigrationRequest, _ file: FileSchema,
        _ externalData: ExternalData
    ) {
        self.connection = connection
        self.mapping = mapping
        self.request = request
        self.file = file
        self.externalData = externalData
    }

    mutating func run() throws {
        let statements = SchemaStatements(mapping: mapping.new, listsImplicitIndexes: model.listsImplicitIndexes)
        let indexes = IndexMigration(connection: connection)
        let changes = try makeChanges(indexes)
        for trigger in file.triggers.sorted() where !file.foreignTriggers.contains(trigger) {
            try connection.execute("DROP TRIGGER \(SQLName.quoted(trigger))", .saving)
        }
        let before = mayOrphan(changes) ? try externalFiles(mapping.old) : []
        try bringExternalValuesIn(changes)
        var moves = RelationshipMoves(mapping, connection)
        try moves.note()
        let joins = JoinMigration(mapping: mapping, connection: connection)
        let places = try renameTables(changes, joins)
        // New tables are filled while the old ones have all their columns.
        for change in changes where change.isCopied || change.source == nil {
            try connection.execute(statements.createTable(change.table), .saving)
            guard let source = change.source else { continue }
            try TableMigration(change, mapping, defaults: request.defaults, connection).copy(from: places[source] ?? source)
        }
        for change in changes {
            guard let source = change.source, !change.isCopied else { continue }
            try removeRows(leaving: source, from: change.table.name)
            try indexes.removeIndexes(on: change.table.name, of: change.dropped)
            var migration = TableMigration(change, mapping, defaults: request.defaults, connection)
            try migration.changeInPlace((file.columnOrder[source.text] ?? []).compactMap { SQLName($0) })
        }
        try joins.finish(statements, places)
        for table in doomed(changes, joins) {
            try connection.execute("DROP TABLE \(places[table] ?? table)", .saving)
        }
        try moves.write()
        try moves.completeKeys(changes)
        try moves.removeDangling()
        try indexes.makeIndexes(statements)
        try DerivedFilling(connection: connection, mapping: mapping).run()
        for trigger in try DerivedCountTriggers(mapping: mapping.new).statements() { try connection.execute(trigger, .saving) }
        if file.hasHistory { try HistoryMigration(mapping: mapping, connection: connection).run() }
        try writeBookkeeping()
        if !before.isEmpty { orphans = before.subtracting(try externalFiles(mapping.new)) }
    }

    // MARK: Tables

    private func makeChanges(_ indexes: IndexMigration) throws -> [TableChange] {
        try mapping.new.tables.map { table in
            let root = mapping.new.layout.family(of: table.root).lazy.compactMap { mapping.sources[$0] }.first
                .map { mapping.old.layout.entities[$0].root }
            guard let root else { return TableChange(table, source: nil, isCopied: false, columns: [], mapping) }
            let source = mapping.old.table(of: root)
            let isCopied = try mapping.claimant(of: root) != table.root || indexes.hasConstraints(source)
            let columns = (file.columnOrder[source.text] ?? []).compactMap { SQLName($0) }
            return TableChange(table, source: source, isCopied: isCopied, columns: columns, mapping)
        }
    }

    /// The tables of the file whose rows go elsewhere, or are gone.
    private func doomed(_ changes: [TableChange], _ joins: JoinMigration) -> [SQLName] {
        let kept = Set(changes.filter { !$0.isCopied }.compactMap(\.source)).union(joins.kept.map(\.old))
        return (mapping.old.tables.map(\.name) + mapping.old.joins.map(\.table)).filter { !kept.contains($0) }
    }

    /// Gives tables that stay their final names, and those that go another one if theirs is needed.
    ///
    /// - Returns: The names of all tables at present, by those in the file.
    private func renameTables(_ changes: [TableChange], _ joins: JoinMigration) throws -> [SQLName: SQLName] {
        var places: [SQLName: SQLName] = [:]
        let kept =
            changes.filter { !$0.isCopied }.compactMap { change in change.source.map { (old: $0, new: change.table.name) } }
            + joins.kept.map { (old: $0.old, new: $0.new) }
        let present = Set(file.tables.keys.map(SQLName.uppercase))
        let wanted = Set((mapping.new.tables.map(\.name) + mapping.new.joins.map(\.table)).map { SQLName.uppercase($0.text) })
        func rename(_ old: SQLName, _ new: SQLName) throws {
            try connection.execute("ALTER TABLE \(places[old] ?? old) RENAME TO \(new)", .saving)
            places[old] = new
        }
        func makeRoom(_ old: SQLName) throws {
            if let temporary = SQLName("Z_MIGRATING_\(places.count)") { try rename(old, temporary) }
        }
        for table in doomed(changes, joins) where wanted.contains(SQLName.uppercase(table.text)) { try makeRoom(table) }
        let renamed = kept.filter { $0.old != $0.new }
        for table in renamed where present.contains(SQLName.uppercase(table.new.text)) { try makeRoom(table.old) }
        for table in renamed { try rename(table.old, table.new) }
        return places
    }

    private func removeRows(leaving source: SQLName, from table: SQLName) throws {
        let numbers = mapping.old.layout.entities.indices
            .filter { mapping.old.table(of: $0) == source && mapping.leaves($0) }.map { String(mapping.old.numbers[$0]) }
        guard !numbers.isEmpty else { return }
        try connection.execute("DELETE FROM \(table) WHERE Z_ENT IN (\(numbers.joined(separator: ", ")))", .saving)
    }

    // MARK: External values

    private func externalColumns(_ mapping: StoreMapping) -> [(table: SQLName, column: SQLName)] {
        var seen: Set<[String]> = []
        return mapping.entities.flatMap { entity in
            entity.columns.filter { $0.encoding == .externalBlob && seen.insert([entity.table.text, $0.name.text]).inserted }
                .map { (entity.table, $0.name) }
        }
    }

    /// Whether some row or column with values in files may go.
    private func mayOrphan(_ changes: [TableChange]) -> Bool {
        let columns = externalColumns(mapping.old)
        guard !columns.isEmpty else { return false }
        if mapping.old.layout.entities.indices.contains(where: { mapping.destinations[$0] == nil }) { return true }
        let later = externalColumns(mapping.new)
        return columns.contains { table, column in
            !changes.contains { change in
                guard change.source == table, !change.isCopied else { return false }
                return later.contains { $0.table == change.table.name && change.base[$0.column] == column }
            }
        }
    }

    private func externalFiles(_ mapping: StoreMapping) throws -> Set<UUID> {
        var files: Set<UUID> = []
        for (table, column) in externalColumns(mapping) {
            try connection.rows("SELECT \(column) FROM \(table) WHERE substr(\(column), 1, 1) = x'02'", .saving) { row in
                if let file = ExternalData.file(row.blob(0)) { files.insert(file) }
            }
        }
        return files
    }

    /// Reads values from their files that may not be in files any more.
    private func bringExternalValuesIn(_ changes: [TableChange]) throws {
        for change in changes {
            guard let source = change.source else { continue }
            var columns: Set<SQLName> = []
            for entity in change.entities {
                for case .column(let column, from: .externalBlob, let to) in mapping.origins(of: entity).values
                where to != .externalBlob { columns.insert(column) }
            }
            for column in columns {
                var found: [(key: Int64, file: UUID)] = []
                try connection.rows("SELECT Z_PK, \(column) FROM \(source) WHERE substr(\(column), 1, 1) = x'02'", .saving) {
                    row in
                    if let file = ExternalData.file(row.blob(1)) { found.append((row.integer(0), file)) }
                }
                let update = try connection.prepare(
                    "UPDATE \(source) SET \(column) = ? WHERE Z_PK = ?", .saving, isKept: false)
                for (key, file) in found {
                    let data = Data([ExternalData.inlineMarker]) + (try externalData.contents(file))
                    data.withUnsafeBytes { update.bind(blob: $0, at: 1) }
                    update.bind(key, at: 2)
                    try update.run(.saving)
                }
            }
        }
    }

    // MARK: Bookkeeping

    private func writeBookkeeping() throws {
        try writeEntityNumbers()
        let old = try MetadataTable(connection)
        let fresh = MetadataTable(model: model)
        var values = old.values
        for key in StoreMetadata.reservedKeys where key != StoreMetadata.identifierKey && key != StoreMetadata.autoVacuumKey {
            values[key] = fresh.values[key]
        }
        try old.with(values).write(to: connection)
        guard file.tables["Z_MODELCACHE"] != nil else {
            try connection.execute(SchemaStatements.modelCache, .saving)
            return try writeModel()
        }
        try connection.execute("DELETE FROM Z_MODELCACHE", .saving)
        try writeModel()
    }

    /// A model with something that compiled models can't hold leaves a store that keeps none, as when a store is made.
    private func writeModel() throws {
        guard let cache = try? model.cacheData() else { return }
        let statement = try connection.prepare("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", .saving, isKept: false)
        cache.withUnsafeBytes { statement.bind(blob: $0, at: 1) }
        try statement.run(.saving)
    }

    /// Keys are never handed out twice: a family goes on where those that its objects come from have stopped.
    private func writeEntityNumbers() throws {
        var highest: [Int: Int64] = [:]
        try connection.rows("SELECT Z_ENT, Z_MAX FROM Z_PRIMARYKEY", .saving) { highest[Int($0.integer(0))] = $0.integer(1) }
        try connection.execute(
            "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT > 0 AND Z_ENT < \(FileSchema.firstSpecialNumber)", .saving)
        let statement = try connection.prepare(
            "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)", .saving, isKept: false)
        for index in mapping.new.order {
            let entity = mapping.new.layout.entities[index]
            let roots = Set(
                mapping.new.layout.family(of: index).compactMap { mapping.sources[$0] }.map {
                    mapping.old.layout.entities[$0].root
                })
            let last = roots.compactMap { highest[mapping.old.numbers[$0]] }.max() ?? 0
            statement.bind(mapping.new.numbers[index], at: 1)
            statement.bind(entity.name, at: 2)
            statement.bind(entity.parent.map { mapping.new.numbers[$0] } ?? 0, at: 3)
            statement.bind(entity.depth == 0 ? last : 0, at: 4)
            try statement.run(.saving)
        }
    }
}
