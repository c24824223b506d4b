import DataModel
import Foundation
import Storage

/// Computes derived attributes that are new, or that are derived in another way, for all rows.
struct DerivedFilling {
    let connection: Connection
    let mapping: MigrationMapping

    func run() throws {
        var hasTable = false
        // A derived attribute may depend on another one, so that the second round may change what the first has found.
        let items = items
        for _ in 0..<min(items.count, 2) {
            for (entity, attribute) in items {
                if !hasTable {
                    try connection.execute(
                        "CREATE TEMP TABLE coredata_rows (item INTEGER, rowkey INTEGER, PRIMARY KEY (item, rowkey)) WITHOUT ROWID",
                        .saving)
                    hasTable = true
                }
                try compute(attribute, of: entity)
            }
        }
        if hasTable { try connection.execute("DROP TABLE temp.coredata_rows", .saving) }
    }

    private var items: [(entity: EntityLayout, attribute: NSDerivedAttributeDescription)] {
        mapping.new.layout.entities.flatMap { entity in
            entity.description.ownProperties.compactMap { $0 as? NSDerivedAttributeDescription }
                .filter { $0.derivationExpressionString != nil && isNew($0) }.map { (entity, $0) }
        }
    }

    private func isNew(_ attribute: NSDerivedAttributeDescription) -> Bool {
        guard let older = mapping.match.source(of: attribute) as? NSDerivedAttributeDescription else { return true }
        return older.derivationExpressionString != attribute.derivationExpressionString
            || older.filterPredicate != attribute.filterPredicate
    }

    private func compute(_ attribute: NSDerivedAttributeDescription, of entity: EntityLayout) throws {
        guard let slot = entity.slotByName[attribute.name],
            let column = mapping.new.entities[entity.index].column(slot: slot)
        else { return }
        let numbers = mapping.new.layout.family(of: entity.index).map { String(mapping.new.numbers[$0]) }
            .joined(separator: ", ")
        try connection.execute("DELETE FROM temp.coredata_rows", .saving)
        try connection.execute(
            "INSERT INTO temp.coredata_rows SELECT 0, Z_PK FROM \(mapping.new.table(of: entity.index)) "
                + "WHERE Z_ENT IN (\(numbers))", .saving)
        do {
            var sql = try DerivedSQL(
                Derivation(attribute), column, of: entity, mapping.new, number: 0, marks: "temp.coredata_rows")
            let statement = try connection.prepare(sql.update(), .saving, isKept: false)
            for (index, constant) in sql.constants.enumerated() {
                statement.bind(constant, at: Int32(index + 1), numbers: mapping.new.numbers)
            }
            if sql.usesTime { statement.bind(.real(Date().timeIntervalSinceReferenceDate), at: 1, numbers: []) }
            try statement.run(.saving)
        } catch let problem as Derivation.Problem {
            throw MappingBuilder.Problem(
                text: "\(attribute.qualifiedName): the derivation “\(attribute.derivationExpressionString ?? "")” \(problem.text)"
            )
        }
    }
}
