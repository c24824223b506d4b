import DataModel
import Foundation
import Predicates
import Storage

/// Computes the derived attributes that the file's own triggers do not keep.
///
/// Temporary triggers note which rows need a new value. They belong to the connection, not to the file, and see every write: of
/// objects, batch requests and delete rules. Before the commit these rows get the value, by statements that are made of the
/// model's checked names alone.
final class DerivedValues {
    private struct Item {
        let update: String
        let constants: [RowValue]
        let usesTime: Bool
    }

    private static let marks = "coredata_derived_rows"

    private let connection: Connection
    private let mapping: StoreMapping
    private let items: [Item]
    private let triggers: [String]
    private var isInstalled = false

    /// Nil if there is nothing to compute.
    ///
    /// - Throws: `MappingBuilder.Problem` for a derivation that makes no sense.
    init?(_ connection: Connection, _ mapping: StoreMapping) throws {
        self.connection = connection
        self.mapping = mapping
        (items, triggers) = try Self.statements(mapping)
        if items.isEmpty { return nil }
    }

    /// - Throws: `MappingBuilder.Problem` for a derivation that makes no sense.
    static func check(_ mapping: StoreMapping) throws { _ = try statements(mapping) }

    private static func statements(_ mapping: StoreMapping) throws -> (items: [Item], triggers: [String]) {
        var items: [Item] = []
        var triggers: [String] = []
        for entity in mapping.layout.entities {
            for case let attribute as NSDerivedAttributeDescription in entity.description.ownProperties {
                guard attribute.derivationExpressionString != nil, let slot = entity.slotByName[attribute.name],
                    let column = mapping.entities[entity.index].column(slot: slot), !column.isKeptByTriggers
                else { continue }
                do {
                    var sql = try DerivedSQL(
                        Derivation(attribute), column, of: entity, mapping, number: items.count, marks: marks)
                    let update = try sql.update()
                    items.append(Item(update: update, constants: sql.constants, usesTime: sql.usesTime))
                    triggers += sql.triggers()
                } catch let problem as Derivation.Problem {
                    throw MappingBuilder.Problem(
                        text: "\(attribute.qualifiedName): the derivation “\(attribute.derivationExpressionString ?? "")” "
                            + problem.text)
                }
            }
        }
        return (items, triggers)
    }

    /// Makes the triggers. Must be called outside of a transaction. They stay until the connection is closed.
    func install() throws {
        guard !isInstalled else { return }
        let table =
            "CREATE TEMP TABLE IF NOT EXISTS \(Self.marks) (item INTEGER, rowkey INTEGER, PRIMARY KEY (item, rowkey)) "
            + "WITHOUT ROWID"
        try connection.execute(table, .saving)
        for (number, trigger) in triggers.enumerated() {
            try connection.execute("CREATE TEMP TRIGGER IF NOT EXISTS coredata_derive_\(number) \(trigger)", .saving)
        }
        isInstalled = true
    }

    /// Gives every noted row its new values.
    func update(_ writes: WriteCache) throws {
        let now = Date().timeIntervalSinceReferenceDate
        // A derived attribute may depend on another one, but never on itself.
        for _ in 0...items.count {
            let noted = try notedItems(writes)
            guard !noted.isEmpty else { return }
            for number in noted {
                let statement = try writes.statement(items[number].update)
                for (index, constant) in items[number].constants.enumerated() {
                    statement.bind(constant, at: Int32(index + 1), numbers: mapping.numbers)
                }
                if items[number].usesTime { statement.bind(.real(now), at: 1, numbers: []) }
                try statement.run(.saving)
                let forget = try writes.statement("DELETE FROM \(Self.marks) WHERE item = ?")
                forget.bind(number, at: 1)
                try forget.run(.saving)
            }
        }
    }

    private func notedItems(_ writes: WriteCache) throws -> [Int] {
        let statement = try writes.statement("SELECT DISTINCT item FROM \(Self.marks) ORDER BY item")
        defer { statement.reset() }
        var result: [Int] = []
        while try statement.step(.saving) { result.append(Int(statement.integer(0))) }
        return result
    }
}
