import DataModel
import Foundation
import Storage

/// Carries out the change of one table. The tables have their final names already; columns and rows have not.
struct TableMigration {
    let change: TableChange
    let mapping: MigrationMapping
    let defaults: [Row]
    let connection: Connection
    /// The names of the source's columns at present, where they have other ones than in the file.
    private var names: [SQLName: SQLName] = [:]

    init(_ change: TableChange, _ mapping: MigrationMapping, defaults: [Row], _ connection: Connection) {
        self.change = change
        self.mapping = mapping
        self.defaults = defaults
        self.connection = connection
    }

    private var table: SQLName { change.table.name }

    // MARK: Copying

    /// Fills a new table with the rows of its entities from another one.
    ///
    /// - Parameter source: The name that the table has at present.
    func copy(from source: SQLName) throws {
        let numbers = mapping.oldNumbers(ofFamily: change.table.root)
        guard !numbers.isEmpty else { return }
        var parameters = MigrationParameters(mapping: mapping, defaults: defaults, url: connection.url)
        let columns = change.table.columns.map(\.name)
        let values = columns.map { column in expression(column, isCopy: true, &parameters) ?? "NULL" }
        let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.map(\.text)
        let sql =
            "INSERT INTO \(table) (\(names.joined(separator: ", "))) "
            + "SELECT \((["Z_PK", numberExpression() ?? "Z_ENT", "Z_OPT"] + values).joined(separator: ", ")) "
            + "FROM \(source) WHERE Z_ENT IN (\(list(numbers)))"
        try parameters.run(sql, connection)
    }

    // MARK: Changing in place

    /// Renames columns, adds and fills new ones, and drops those that are not needed.
    ///
    /// - Parameter columns: All columns of the table in the file.
    mutating func changeInPlace(_ columns: [SQLName]) throws {
        try renameColumns(columns)
        for column in change.added {
            try connection.execute("ALTER TABLE \(table) ADD COLUMN \(column.name) \(column.sqlType)", .saving)
        }
        try updateRows()
        for column in change.dropped {
            try connection.execute("ALTER TABLE \(table) DROP COLUMN \(current(column))", .saving)
        }
    }

    /// A column whose new name another one still has goes by way of a third name.
    private mutating func renameColumns(_ columns: [SQLName]) throws {
        let wanted = change.base.filter { $0.key != $0.value }
        let newNames = Set(change.table.columns.map { SQLName.uppercase($0.name.text) })
        let present = Set(columns.map { SQLName.uppercase($0.text) })
        var later: [(old: SQLName, new: SQLName)] = []
        for (new, old) in wanted.sorted(by: { $0.key.text < $1.key.text }) {
            if present.contains(SQLName.uppercase(new.text)) {
                later.append((old, new))
                try rename(old, to: temporary(names.count))
            } else {
                try rename(old, to: new)
            }
        }
        for column in change.dropped where newNames.contains(SQLName.uppercase(column.text)) {
            try rename(column, to: temporary(names.count))
        }
        for (old, new) in later { try rename(old, to: new) }
    }

    private mutating func rename(_ old: SQLName, to new: SQLName) throws {
        try connection.execute("ALTER TABLE \(table) RENAME COLUMN \(current(old)) TO \(new)", .saving)
        names[old] = new
    }

    private func temporary(_ number: Int) -> SQLName { SQLName("ZMIGRATING\(number)") ?? .primaryKey }

    private func current(_ column: SQLName) -> SQLName { names[column] ?? column }

    /// All values of all rows that change, in one statement: what it reads are the values before.
    private func updateRows() throws {
        var parameters = MigrationParameters(mapping: mapping, defaults: defaults, url: connection.url)
        var assignments: [String] = []
        var concerned: Set<Int> = []
        if let number = numberExpression() {
            assignments.append("Z_ENT = \(number)")
            concerned.formUnion(change.entities.filter { changesNumber($0) })
        }
        for column in change.table.columns.map(\.name) {
            guard let value = expression(column, isCopy: false, &parameters) else { continue }
            assignments.append("\(column) = \(value)")
            concerned.formUnion(presentEntities.filter { change.value(of: column, in: $0, defaults) != nil })
        }
        guard !assignments.isEmpty else { return }
        let isAll = concerned.count == presentEntities.count
        let numbers = concerned.compactMap(oldNumber).sorted()
        let condition = isAll ? "" : " WHERE Z_ENT IN (\(list(numbers)))"
        try parameters.run("UPDATE \(table) SET \(assignments.joined(separator: ", "))\(condition)", connection)
    }

    // MARK: Expressions

    /// The entities that have rows in the source.
    private var presentEntities: [Int] { change.entities.filter { mapping.sources[$0] != nil } }

    private func oldNumber(_ entity: Int) -> Int? { mapping.sources[entity].map { mapping.old.numbers[$0] } }

    private func changesNumber(_ entity: Int) -> Bool { oldNumber(entity).map { $0 != mapping.new.numbers[entity] } ?? false }

    private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

    private func numberExpression() -> String? {
        let cases = presentEntities.filter(changesNumber).compactMap { entity in
            oldNumber(entity).map { "WHEN \($0) THEN \(mapping.new.numbers[entity])" }
        }
        return cases.isEmpty ? nil : "CASE Z_ENT \(cases.joined(separator: " ")) ELSE Z_ENT END"
    }

    /// The new value of a column; nil where no row gets one.
    private func expression(_ column: SQLName, isCopy: Bool, _ parameters: inout MigrationParameters) -> String? {
        var groups: [TableChange.Value: [Int]] = [:]
        for entity in presentEntities {
            guard let value = change.value(of: column, in: entity, defaults) else { continue }
            groups[value, default: []].append(entity)
        }
        guard !groups.isEmpty else { return nil }
        let texts = groups.map { value, entities in (entities.sorted(), parameters.text(value, current: current)) }
            .sorted { $0.0.lexicographicallyPrecedes($1.0) }
        if texts.count == 1, texts[0].0.count == presentEntities.count { return texts[0].1 }
        let cases = texts.flatMap { entities, text in
            entities.compactMap(oldNumber).sorted().map { "WHEN \($0) THEN \(text)" }
        }
        let rest = isCopy || change.base[column] == nil ? "NULL" : column.text
        return "CASE Z_ENT \(cases.joined(separator: " ")) ELSE \(rest) END"
    }
}
