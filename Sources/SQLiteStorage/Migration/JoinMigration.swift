import DataModel
import Storage

/// Renames the join tables that stay, and makes those that are new.
struct JoinMigration {
    let mapping: MigrationMapping
    let connection: Connection

    /// A table that stays: what it is called, and which columns become which.
    struct Kept {
        let old: SQLName
        let new: SQLName
        let columns: [(old: SQLName, new: SQLName)]
        let join: Int
    }

    let kept: [Kept]

    init(mapping: MigrationMapping, connection: Connection) {
        self.mapping = mapping
        self.connection = connection
        let relationships = mapping.relationships
        kept = mapping.new.joins.enumerated().compactMap { index, join in
            guard let relationship = relationships.first(where: { $0.id == join.relationship }),
                case .join(let side)? = mapping.new.places[join.relationship],
                let (source, _) = mapping.joinSource(of: relationship),
                let found = mapping.oldJoin(of: relationship, side, source)
            else { return nil }
            var columns = [(old: found.owner, new: side.owner), (old: found.member, new: side.member)]
            if let old = found.order, let new = side.order { columns.append((old, new)) }
            if let old = found.inverseOrder, let new = side.inverseOrder { columns.append((old, new)) }
            return Kept(old: found.table, new: join.table, columns: columns, join: index)
        }
    }

    /// - Parameter places: The present names of tables.
    func finish(_ statements: SchemaStatements, _ places: [SQLName: SQLName]) throws {
        let stays = Set(kept.map(\.join))
        for table in kept {
            let changed = table.columns.filter { $0.old != $0.new }
            let present = Set(table.columns.map(\.old))
            var names: [SQLName: SQLName] = [:]
            for (index, column) in changed.enumerated() where present.contains(column.new) {
                guard let temporary = SQLName("ZMIGRATING\(index)") else { continue }
                try rename(column.old, to: temporary, in: table.new)
                names[column.old] = temporary
            }
            for column in changed { try rename(names[column.old] ?? column.old, to: column.new, in: table.new) }
        }
        for (index, join) in mapping.new.joins.enumerated() where !stays.contains(index) {
            try connection.execute(statements.createTable(join), .saving)
        }
    }

    private func rename(_ old: SQLName, to new: SQLName, in table: SQLName) throws {
        try connection.execute("ALTER TABLE \(table) RENAME COLUMN \(old) TO \(new)", .saving)
    }
}
