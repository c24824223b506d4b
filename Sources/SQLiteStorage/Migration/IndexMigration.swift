import DataModel
import Foundation
import Storage

/// Gives the tables of a file the indexes of a new store. An index that does what is wanted stays, whatever its name.
struct IndexMigration {
    private struct Index {
        let name: String
        let table: String
        let isUnique: Bool
        let isPartial: Bool
        /// Whether it belongs to a constraint in the statement that made the table.
        let isOfTable: Bool
        /// Nil for an expression.
        let columns: [(name: String?, isDescending: Bool)]

        /// What it does, in the form of the statements that make indexes.
        var meaning: String? {
            guard !isPartial, columns.allSatisfy({ $0.name != nil }) else { return nil }
            let list = columns.map { ($0.name ?? "") + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
            return "\(isUnique ? "UNIQUE " : "")\(table) (\(list))"
        }
    }

    let connection: Connection

    private func indexes(of table: String) throws -> [Index] {
        var result: [Index] = []
        try connection.rows("PRAGMA index_list(\(SQLName.quoted(table)))", .saving) { row in
            guard let name = row.text(1), row.text(3) != "pk" else { return }
            var columns: [(name: String?, isDescending: Bool)] = []
            try connection.rows("PRAGMA index_xinfo(\(SQLName.quoted(name)))", .saving) { column in
                if column.integer(5) == 1 { columns.append((column.text(2), column.integer(3) == 1)) }
            }
            result.append(
                Index(
                    name: name, table: table, isUnique: row.integer(2) == 1, isPartial: row.integer(4) == 1,
                    isOfTable: row.text(3) == "u", columns: columns))
        }
        return result
    }

    /// Whether a table has constraints in the statement that made it, as old frameworks wrote them: it can be changed only by
    /// making it anew.
    func hasConstraints(_ table: SQLName) throws -> Bool { try indexes(of: table.text).contains(where: \.isOfTable) }

    /// Removes the indexes that keep columns from being dropped.
    func removeIndexes(on table: SQLName, of columns: [SQLName]) throws {
        guard !columns.isEmpty else { return }
        let names = Set(columns.map(\.text))
        for index in try indexes(of: table.text) where !index.isOfTable {
            let isConcerned = index.isPartial || index.columns.contains { $0.name.map(names.contains) ?? true }
            if isConcerned { try drop(index.name) }
        }
    }

    private func drop(_ name: String) throws { try connection.execute("DROP INDEX \(SQLName.quoted(name))", .saving) }

    /// - Throws: `MappingBuilder.Problem`
    func makeIndexes(_ statements: SchemaStatements) throws {
        var wanted: [(name: String, meaning: String, statement: String)] = []
        for statement in try statements.indexes() {
            guard let place = statement.range(of: " ON "), let start = statement.range(of: "INDEX ") else { continue }
            let name = String(statement[start.upperBound..<place.lowerBound])
            var meaning = String(statement[place.upperBound...])
            for word in [" COLLATE BINARY", " ASC"] { meaning = meaning.split(separator: word).joined() }
            wanted.append((name, (statement.hasPrefix("CREATE UNIQUE") ? "UNIQUE " : "") + meaning, statement))
        }
        let tables = statements.mapping.tables.map(\.name.text) + statements.mapping.joins.map(\.table.text)
        let present = try tables.flatMap(indexes)
        var missing = wanted
        var kept: [Index] = []
        for index in present {
            let place =
                missing.firstIndex { $0.meaning == index.meaning && $0.name == index.name }
                ?? missing.firstIndex { $0.meaning == index.meaning }
            if let place {
                missing.remove(at: place)
                kept.append(index)
            } else if index.name.hasPrefix("Z"), !index.isOfTable {
                try drop(index.name)
            }
        }
        // A name that another index needs is given up.
        let names = Set(missing.map { SQLName.uppercase($0.name) })
        for index in kept where names.contains(SQLName.uppercase(index.name)) {
            try drop(index.name)
            missing += wanted.filter { $0.meaning == index.meaning }.prefix(1)
        }
        for index in missing { try connection.execute(index.statement, .saving) }
    }
}
