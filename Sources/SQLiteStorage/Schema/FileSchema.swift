import DataModel

/// What a database file holds: its tables with their columns, its triggers, its entity numbers.
struct FileSchema {
    struct Entity {
        let number: Int
        let name: String
        let parent: Int
    }

    /// Numbers from here on belong to history and mirroring.
    static let firstSpecialNumber = 16001

    /// SQL types by column name, by table name.
    private(set) var tables: [String: [String: String]] = [:]
    /// Column names in the file's order, by table name.
    private(set) var columnOrder: [String: [String]] = [:]
    private(set) var triggers: Set<String> = []
    /// Triggers that Core Data has not made.
    private(set) var foreignTriggers: [String] = []
    /// Tables whose rows are not in the file but come from code. They take no entity's place.
    private(set) var virtualTables: Set<String> = []
    private(set) var entities: [Entity] = []
    /// Whether an earlier version of this package made the file, so that its version hashes are this package's. Such a file has
    /// the table for a copy of the model, which files of older frameworks lack, but not the copy itself, which all others have.
    /// Newer files say in their metadata whose hashes they have (`StoreMetadata.ownHashesKey`).
    private(set) var wasMadeHere = false
    /// Whether there is nothing in the file at all: a new one, or one whose store was destroyed.
    private(set) var isEmpty = true

    var isStore: Bool { tables["Z_METADATA"] != nil && tables["Z_PRIMARYKEY"] != nil }
    var hasHistory: Bool { tables["ACHANGE"] != nil && tables["ATRANSACTION"] != nil }
    var hasMirroring: Bool { tables.keys.contains { $0.hasPrefix("ANSCK") } }
    var spatialIndexes: [String] { virtualTables.union(tables.keys).filter { $0.hasPrefix("Z_RT_") }.sorted() }

    /// The columns of a table in the file's order; nil if the file has no table of just this name.
    func columns(of table: SQLName) -> [String]? {
        guard let place = columnOrder.index(forKey: table.text), SQLName(columnOrder[place].key) == table else { return nil }
        return columnOrder[place].value
    }

    /// The SQL type of a column of just this name.
    func type(of column: SQLName, in table: SQLName) -> String? {
        guard let columns = columns(of: table), columns.contains(where: { SQLName($0) == column }) else { return nil }
        return tables[table.text]?[column.text]
    }

    init(_ connection: Connection) throws {
        var names: [String] = []
        try connection.rows("SELECT type, name, sql FROM sqlite_master", .opening) { row in
            isEmpty = false
            let sql = row.text(2) ?? ""
            switch (row.text(0), row.text(1)) {
            case ("table", let name?) where SQLName.uppercase(sql).hasPrefix("CREATE VIRTUAL"): virtualTables.insert(name)
            case ("table", let name?): names.append(name)
            case ("trigger", let name?):
                triggers.insert(name)
                if !TriggerText(name: name, sql: sql).isOfCoreData { foreignTriggers.append(name) }
            default: break
            }
        }
        guard names.contains("Z_METADATA"), names.contains("Z_PRIMARYKEY") else { return }
        for name in names {
            var columns: [String: String] = [:]
            try connection.rows("PRAGMA table_info(\(SQLName.quoted(name)))", .opening) { row in
                guard let column = row.text(1) else { return }
                columns[column] = SQLName.uppercase(row.text(2) ?? "")
                columnOrder[name, default: []].append(column)
            }
            tables[name] = columns
        }
        if names.contains("Z_MODELCACHE") {
            wasMadeHere = true
            try connection.rows("SELECT 1 FROM Z_MODELCACHE LIMIT 1", .opening) { _ in wasMadeHere = false }
        }
        try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", .opening) { row in
            let number = Int(row.integer(0))
            guard number > 0, number < FileSchema.firstSpecialNumber else { return }
            entities.append(Entity(number: number, name: row.text(1) ?? "", parent: Int(row.integer(2))))
        }
    }
}

/// The parts by which a model is compared with a file, as a property list.
extension FileSchema {
    private static let entitiesKey = "entities"
    private static let tablesKey = "tables"
    private static let madeHereKey = "wasMadeHere"

    var fingerprint: [String: Any] {
        [
            Self.entitiesKey: entities.map { ["\($0.number)", $0.name, "\($0.parent)"] },
            Self.tablesKey: columnOrder.mapValues { $0 }.map { table, columns in
                [table] + columns.flatMap { [$0, tables[table]?[$0] ?? ""] }
            },
            Self.madeHereKey: wasMadeHere,
        ]
    }

    /// - Returns: Nil for anything but a fingerprint.
    init?(fingerprint: Any?) {
        guard let fingerprint = fingerprint as? [String: Any], let entities = fingerprint[Self.entitiesKey] as? [[String]],
            let tables = fingerprint[Self.tablesKey] as? [[String]]
        else { return nil }
        self.entities = entities.compactMap { entity in
            guard entity.count == 3, let number = Int(entity[0]), number > 0, number < Self.firstSpecialNumber,
                let parent = Int(entity[2])
            else { return nil }
            return Entity(number: number, name: entity[1], parent: parent)
        }
        for table in tables where table.count % 2 == 1 {
            var types: [String: String] = [:]
            for index in stride(from: 1, to: table.count, by: 2) {
                types[table[index]] = table[index + 1]
                columnOrder[table[0], default: []].append(table[index])
            }
            self.tables[table[0]] = types
        }
        wasMadeHere = fingerprint[Self.madeHereKey] as? Bool ?? false
        isEmpty = false
    }
}
