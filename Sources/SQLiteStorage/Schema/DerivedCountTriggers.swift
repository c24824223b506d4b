import DataModel
import Storage

/// The triggers that keep a derived attribute `relationship.@count` up to date, for one-to-many relationships.
///
/// How Core Data does other derivations in SQL is not known; those attributes have a column and no trigger.
struct DerivedCountTriggers {
    let mapping: StoreMapping

    /// - Throws: `MappingBuilder.Problem`
    func statements() throws -> [String] {
        try mapping.order.flatMap { index -> [String] in
            let entity = mapping.layout.entities[index]
            return try entity.description.ownProperties
                .compactMap { $0 as? NSDerivedAttributeDescription }
                .sorted { SQLName.precedes($0.name, $1.name) }
                .flatMap { try triggers($0, of: entity) }
        }
    }

    /// The name of the trigger that shows that a store keeps an attribute by triggers.
    static func sourceTrigger(_ table: SQLName, _ entity: String, _ attribute: String) -> String {
        "Z_DA_\(table)_\(entity)_\(attribute)_SOURCE_INSERT"
    }

    private func triggers(_ attribute: NSDerivedAttributeDescription, of entity: EntityLayout) throws -> [String] {
        let parts = (attribute.derivationExpressionString ?? "").split(separator: ".").map(String.init)
        guard attribute.filterPredicate == nil, parts.count == 2, parts[1] == "@count",
            let relationship = entity.relationship(named: parts[0]),
            case .members(let key, isHidden: false)? = mapping.places[relationship.id],
            let column = mapping.column(of: attribute.name, in: entity.index)
        else { return [] }
        let source = mapping.table(of: entity.index)
        let name = try SQLName(checking: attribute.name)
        let prefix = "Z_DA_\(key.table)_\(try SQLName(checking: entity.name))_\(name)_PARAMETER_"
        // A table with several entities also takes rows that do not have the attribute.
        let when = entity.depth == 0 ? "" : "WHEN (NEW.Z_ENT IN (\(numbers(of: entity)))) "
        func told(_ function: String, _ row: String) -> String {
            "SELECT \(function)('\(source)', Z_ENT, Z_PK, '\(name)', \(column)) FROM \(source) WHERE Z_PK = \(row); END"
        }
        func counting(_ trigger: String, _ event: String, _ row: String, _ change: String) -> String {
            "CREATE TRIGGER \(prefix)\(trigger) AFTER \(event) ON \(key.table) FOR EACH ROW WHEN (\(row) NOT NULL) BEGIN "
                + "UPDATE \(source) SET \(column) = \(change) WHERE Z_PK = \(row); "
                + told("NSCoreDataDATriggerUpdatedAffectedObjectValue", row)
        }
        let new = "NEW.\(key.column)"
        let old = "OLD.\(key.column)"
        return [
            counting("INSERT", "INSERT", new, "IFNULL(\(column), 0) + 1"),
            counting("UPDATE_INCREMENT", "UPDATE OF \(key.column)", new, "\(column) + 1"),
            counting("UPDATE_DECREMENT", "UPDATE OF \(key.column)", old, "\(column) - 1"),
            counting("DELETE", "DELETE", old, "\(column) - 1"),
            "CREATE TRIGGER \(Self.sourceTrigger(source, entity.name, name.text)) AFTER INSERT ON \(source) FOR EACH ROW \(when)BEGIN "
                + "UPDATE \(source) SET \(column) = (SELECT IFNULL(COUNT(\(key.column)), 0) FROM \(key.table) "
                + "WHERE \(key.column) = NEW.Z_PK) WHERE Z_PK = NEW.Z_PK; "
                + told("NSCoreDataDATriggerInsertUpdatedAffectedObjectValue", "NEW.Z_PK"),
        ]
    }

    private func numbers(of entity: EntityLayout) -> String {
        mapping.layout.family(of: entity.index).map { String(mapping.numbers[$0]) }.joined(separator: ", ")
    }
}
