import DataModel
import Foundation
import Predicates
import Storage

/// The statements for one derived attribute: what gives rows their value, and the triggers that note which rows need one.
struct DerivedSQL {
    /// What a filter asks for.
    private(set) var constants: [RowValue] = []

    private let derivation: Derivation
    private let column: StoredColumn
    private let entity: EntityLayout
    private let mapping: StoreMapping
    private let number: Int
    private let marks: String
    /// The foreign keys that lead from the entity's rows to the row with the value or to the owner of the members, and the
    /// entities there.
    private var keys: [ForeignKey] = []
    private var target: EntityLayout
    private var members: (layout: EntityLayout, place: RelationshipPlace)?
    private var source: StoredColumn?

    var usesTime: Bool { derivation.kind == .now }

    /// - Throws: `Derivation.Problem` for what the mapping has no place for.
    init(
        _ derivation: Derivation, _ column: StoredColumn, of entity: EntityLayout, _ mapping: StoreMapping, number: Int,
        marks: String
    ) throws {
        (self.derivation, self.column, self.entity, self.mapping) = (derivation, column, entity, mapping)
        (self.number, self.marks) = (number, marks)
        target = entity
        for step in derivation.steps {
            guard let relationship = target.relationship(named: step), case .toOne(let key)? = mapping.places[relationship.id]
            else {
                throw Derivation.Problem(text: "follows “\(step)”, which has no column")
            }
            keys.append(key)
            target = mapping.layout.entities[relationship.destination]
        }
        if let name = derivation.members {
            guard let relationship = target.relationship(named: name), let found = mapping.places[relationship.id] else {
                throw Derivation.Problem(text: "follows “\(name)”, which is not stored")
            }
            members = (mapping.layout.entities[relationship.destination], found)
        }
        guard let name = derivation.attribute else { return }
        let layout = members?.layout ?? target
        source = layout.slotByName[name].flatMap { mapping.entities[layout.index].column(slot: $0) }
        if source == nil { throw Derivation.Problem(text: "reads “\(name)”, which has no column") }
    }

    private var table: SQLName { mapping.table(of: entity.index) }
    private var targetTable: SQLName { mapping.table(of: target.index) }
    private var numbers: String {
        mapping.layout.family(of: entity.index).map { String(mapping.numbers[$0]) }.joined(separator: ", ")
    }

    // MARK: Values

    mutating func update() throws -> String {
        "UPDATE \(table) SET \(column.name) = \(cast(try value())) "
            + "WHERE Z_PK IN (SELECT rowkey FROM \(marks) WHERE item = \(number)) AND Z_ENT IN (\(numbers))"
    }

    private func cast(_ value: String) -> String {
        switch column.encoding {
        case .integer: "CAST(\(value) AS INTEGER)"
        case .real, .decimal: "CAST(\(value) AS REAL)"
        default: value
        }
    }

    private mutating func value() throws -> String {
        switch derivation.kind {
        case .now: return "?1"
        case .value(let function):
            guard let source else { return "NULL" }
            func applied(_ column: String) -> String { function.map { "\(StoreFunctions.name($0))(\(column))" } ?? column }
            guard !keys.isEmpty else { return applied("\(table).\(source.name)") }
            return "(SELECT \(applied("p\(keys.count).\(source.name)")) FROM \(path(upTo: keys.count)))"
        case .count: return try aggregate("COUNT(*)")
        case .sum:
            guard let source, let members else { return "NULL" }
            let value = "t.\(source.name)"
            switch members.layout.slots[source.slot].attributeType {
            case .integer64AttributeType: return try aggregate("\(StoreFunctions.sum)(\(value))")
            case .decimalAttributeType: return try aggregate("\(StoreFunctions.decimalSum)(\(value))")
            default: return try aggregate("COALESCE(SUM(\(value)), 0)")
            }
        }
    }

    /// The tables from the first destination to the one after `count` foreign keys, joined for one row.
    private func path(upTo count: Int) -> String {
        var text = "\(keyTable(1)) p1"
        for step in 2..<max(2, count + 1) {
            text += " JOIN \(keyTable(step)) p\(step) ON p\(step).Z_PK = p\(step - 1).\(keys[step - 1].column)"
        }
        return text + " WHERE p1.Z_PK = \(table).\(keys[0].column)"
    }

    /// The table that the foreign key of a step leads to.
    private func keyTable(_ step: Int) -> SQLName { step < keys.count ? keys[step].table : targetTable }

    /// The key of the members' owner.
    private var owner: String {
        switch keys.count {
        case 0: "\(table).Z_PK"
        case 1: "\(table).\(keys[0].column)"
        default: "(SELECT p\(keys.count - 1).\(keys[keys.count - 1].column) FROM \(path(upTo: keys.count - 1)))"
        }
    }

    private mutating func aggregate(_ call: String) throws -> String {
        guard let members else { return "NULL" }
        let memberTable = mapping.table(of: members.layout.index)
        var source = "\(memberTable) t"
        var link: String
        switch members.place {
        case .members(let key, _): link = "t.\(key.column) = \(owner)"
        case .join(let side) where side.isReflexive:
            link =
                "t.Z_PK IN (SELECT \(side.member) FROM \(side.table) WHERE \(side.owner) = \(owner) "
                + "UNION SELECT \(side.owner) FROM \(side.table) WHERE \(side.member) = \(owner))"
        case .join(let side):
            source = "\(side.table) pair CROSS JOIN \(memberTable) t ON t.Z_PK = pair.\(side.member)"
            link = "pair.\(side.owner) = \(owner)"
        case .toOne: return "NULL"
        }
        if let filter = derivation.filter { link += " AND (\(try condition(filter, on: members.layout)))" }
        return "(SELECT \(call) FROM \(source) WHERE \(link))"
    }

    private mutating func condition(_ filter: NSPredicate, on layout: EntityLayout) throws -> String {
        let environment = QueryEnvironment(
            layout: mapping.layout, allowsTransients: false, identity: { _ in nil }, entityIndex: { _ in nil })
        var resolver = QueryResolver(layout, environment)
        let resolved: (condition: RowPredicate, isExact: Bool)
        do { resolved = try resolver.predicate(PredicateNode(filter)) } catch {
            throw Derivation.Problem(text: "has a filterPredicate with a mistake: \(error)")
        }
        guard resolved.isExact else { throw Derivation.Problem(text: "has a filterPredicate that needs evaluation in memory") }
        constants = resolver.constants
        var writer = QueryWriter(mapping: mapping, firstParameter: 1)
        return writer.condition(resolved.condition)
    }

    // MARK: Triggers

    func triggers() -> [String] {
        let isOwn = "WHEN NEW.Z_ENT IN (\(numbers)) "
        // The writer of a row counts its version up; triggers that keep other derived attributes don't.
        var triggers = [
            trigger("INSERT", on: table, isOwn, [note("NEW.Z_PK", at: 0)]),
            trigger("UPDATE OF Z_OPT", on: table, isOwn, [note("NEW.Z_PK", at: 0)]),
        ]
        for (index, key) in keys.enumerated() {
            triggers.append(trigger("UPDATE OF \(key.column)", on: key.table, "", [note("NEW.Z_PK", at: index)]))
            triggers.append(trigger("INSERT", on: keyTable(index + 1), "", [note("NEW.Z_PK", at: index + 1)]))
            triggers.append(trigger("DELETE", on: keyTable(index + 1), "", [note("OLD.Z_PK", at: index + 1)]))
        }
        guard let members else {
            if let source {
                triggers.append(trigger("UPDATE OF \(source.name)", on: targetTable, "", [note("NEW.Z_PK", at: keys.count)]))
            }
            return triggers
        }
        let memberTable = mapping.table(of: members.layout.index)
        switch members.place {
        case .members(let key, _):
            let columns =
                derivation.filter == nil
                ? " OF \(([key.column] + [source?.name].compactMap(\.self)).map(\.text).joined(separator: ", "))" : ""
            let old = note("OLD.\(key.column)", at: keys.count)
            let new = note("NEW.\(key.column)", at: keys.count)
            triggers.append(trigger("INSERT", on: memberTable, "", [new]))
            triggers.append(trigger("DELETE", on: memberTable, "", [old]))
            triggers.append(trigger("UPDATE\(columns)", on: memberTable, "", [old, new]))
        case .join(let side):
            func notes(_ row: String) -> [String] {
                [note("\(row).\(side.owner)", at: keys.count)]
                    + (side.isReflexive ? [note("\(row).\(side.member)", at: keys.count)] : [])
            }
            triggers.append(trigger("INSERT", on: side.table, "", notes("NEW")))
            triggers.append(trigger("DELETE", on: side.table, "", notes("OLD")))
            triggers.append(trigger("UPDATE", on: side.table, "", notes("OLD") + notes("NEW")))
            guard derivation.filter != nil || source != nil else { break }
            let columns = derivation.filter == nil ? source.map { " OF \($0.name)" } ?? "" : ""
            var owners = ["SELECT \(side.owner) FROM \(side.table) WHERE \(side.member) = NEW.Z_PK"]
            if side.isReflexive { owners.append("SELECT \(side.member) FROM \(side.table) WHERE \(side.owner) = NEW.Z_PK") }
            triggers.append(
                trigger("UPDATE\(columns)", on: memberTable, "", owners.map { note(among: $0, at: keys.count) }))
        case .toOne: break
        }
        return triggers
    }

    private func trigger(_ event: String, on table: SQLName, _ condition: String, _ statements: [String]) -> String {
        "AFTER \(event) ON main.\(table) FOR EACH ROW \(condition)BEGIN \(statements.joined(separator: "; ")); END"
    }

    /// Notes the rows of the entity from which the first `count` foreign keys lead to a row.
    private func note(_ row: String, at count: Int) -> String { note(among: "SELECT \(row)", at: count) }

    private func note(among rows: String, at count: Int) -> String {
        var rows = rows
        for key in keys[..<count].reversed() { rows = "SELECT Z_PK FROM \(key.table) WHERE \(key.column) IN (\(rows))" }
        return "INSERT OR IGNORE INTO \(marks) (item, rowkey) SELECT \(number), rowkey "
            + "FROM (SELECT 0 AS rowkey WHERE 0 UNION ALL \(rows)) WHERE rowkey NOT NULL"
    }
}
