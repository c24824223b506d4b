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
    private(set) var entities: [Entity] = []
    /// Whether there is nothing in the file at all: a new one, or one whose store was destroyed.
    private(set) var isEmpty = true

    var isStore: Bool { tables["Z_METADATA"] != nil && tables["Z_PRIMARYKEY"] != nil }
    var hasHistory: Bool { tables["ACHANGE"] != nil && tables["ATRANSACTION"] != nil }
    var hasMirroring: Bool { tables.keys.contains { $0.hasPrefix("ANSCK") } }
    var spatialIndexes: [String] { tables.keys.filter { $0.hasPrefix("Z_RT_") }.sorted() }

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
        try connection.rows("SELECT type, name FROM sqlite_master", .opening) { row in
            isEmpty = false
            switch (row.text(0), row.text(1)) {
            case ("table", let name?): names.append(name)
            case ("trigger", let name?): triggers.insert(name)
            default: break
            }
        }
        guard names.contains("Z_METADATA"), names.contains("Z_PRIMARYKEY") else { return }
        for name in names {
            var columns: [String: String] = [:]
            // A virtual table of a module that is not there has no readable columns; nothing of ours is in it.
            try? connection.rows("PRAGMA table_info(\(SQLName.quoted(name)))", .opening) { row in
                guard let column = row.text(1) else { return }
                columns[column] = SQLName.uppercase(row.text(2) ?? "")
                columnOrder[name, default: []].append(column)
            }
            tables[name] = columns
        }
        try connection.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT", .opening) { row in
            let number = Int(row.integer(0))
            guard number > 0, number < FileSchema.firstSpecialNumber else { return }
            entities.append(Entity(number: number, name: row.text(1) ?? "", parent: Int(row.integer(2))))
        }
    }
}
