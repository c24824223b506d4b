import DataModel
import Foundation
import GraphTestSupport
import TestSupport

/// Looks at a store's file by SQL alone, knowing the model and the published layout of the tables, and tells what is not consistent in it.
///
/// - no key leads nowhere, or to a row of another entity;
/// - no required value, destination or least number of members is missing;
/// - both sides of one-to-one relationships agree, and orders are complete and unambiguous;
/// - uniqueness constraints hold;
/// - keys and versions are what the counters say.
///
/// Where two properties of a table want the same column name, these two are left out.
final class StoreChecker {
    typealias Row = [String: String]

    /// The rows of one moment: by table and key; those of join tables by table.
    struct State {
        var rows: [String: [Int64: Row]] = [:]
        var joins: [String: [Row]] = [:]
    }

    private let model: NSManagedObjectModel
    private let database: Database
    private var numbers: [Int64: NSEntityDescription] = [:]
    private(set) var state = State()
    private var problems: [String] = []

    init(_ model: NSManagedObjectModel, _ file: URL) throws {
        self.model = model
        database = try Database(file)
    }

    // MARK: Reading

    private func read() throws -> (State, [Row]) {
        var state = State()
        try database.execute("BEGIN")
        defer { try? database.execute("COMMIT") }
        for entity in model.entities where entity.superentity == nil {
            let table = Self.table(entity)
            for row in try database.records("SELECT * FROM \"\(table)\"") {
                guard let key = Self.integer(row["Z_PK"]) else { continue }
                state.rows[table, default: [:]][key] = row
            }
        }
        let names = try database.records("SELECT name FROM sqlite_master WHERE type = 'table'").compactMap {
            $0["name"]?.dropFirst()
        }
        for name in names where name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true {
            // Also a table without rows has its entry, with its columns' names.
            let columns = try database.records("PRAGMA table_info(\"\(name)\")").compactMap {
                $0["name"].map { String($0.dropFirst()) }
            }
            let heading = Row(uniqueKeysWithValues: columns.map { ($0, "") })
            state.joins[String(name)] = try [heading] + database.records("SELECT * FROM \"\(name)\"")
        }
        return (state, try database.records("SELECT * FROM Z_PRIMARYKEY"))
    }

    private static func table(_ entity: NSEntityDescription) -> String {
        var root = entity
        while let parent = root.superentity { root = parent }
        return "Z" + (root.name ?? "").uppercased()
    }

    private static func integer(_ value: String?) -> Int64? {
        guard let value, value.hasPrefix("i") else { return nil }
        return Int64(value.dropFirst())
    }

    // MARK: Checking

    /// Reads the file and tells what is wrong.
    ///
    /// - Parameter mayChange: whether the program has set an attribute of a stored row since the last check; nil to check no such thing.
    func check(_ mayChange: ((_ entity: NSEntityDescription, _ key: Int64, _ row: Row, _ attribute: String) -> Bool)? = nil)
        throws -> [String]
    {
        let previous = state
        let counters: [Row]
        (state, counters) = try read()
        problems = []
        numbers = [:]
        for row in counters {
            guard let number = Self.integer(row["Z_ENT"]), let name = row["Z_NAME"]?.dropFirst(),
                let entity = model.entitiesByName[String(name)]
            else { continue }
            numbers[number] = entity
            let table = Self.table(entity)
            let greatest = state.rows[table]?.keys.max() ?? 0
            if entity.superentity == nil, let count = Self.integer(row["Z_MAX"]), count < greatest {
                problems.append("\(table): Z_MAX is \(count), and there is the key \(greatest)")
            }
        }
        for (table, rows) in state.rows {
            for (key, row) in rows { check(table, key, row, previous.rows[table]?[key]) }
        }
        for entity in model.entities {
            checkConstraints(entity)
            for relationship in entity.relationshipsByName.values where relationship.entity === entity && relationship.isToMany {
                checkMembers(entity, relationship)
            }
        }
        if let mayChange { checkChanges(since: previous, mayChange) }
        return problems
    }

    private func name(_ table: String, _ key: Int64) -> String { "\(table) \(key)" }

    private func entity(_ row: Row) -> NSEntityDescription? { Self.integer(row["Z_ENT"]).flatMap { numbers[$0] } }

    private func check(_ table: String, _ key: Int64, _ row: Row, _ previous: Row?) {
        guard let entity = entity(row) else {
            problems.append("\(name(table, key)) is of no entity")
            return
        }
        if Self.table(entity) != table || entity.isAbstract { problems.append("\(name(table, key)) is a \(entity.name ?? "")") }
        if (Self.integer(row["Z_OPT"]) ?? 0) < 1 { problems.append("\(name(table, key)) has no version") }
        for attribute in entity.attributesByName.values where isStored(attribute) && !attribute.isOptional {
            guard let column = column(of: attribute, entity), row[column] == nil else { continue }
            problems.append("\(name(table, key)): \(attribute.name) is required and NULL")
        }
        for relationship in entity.relationshipsByName.values where !relationship.isToMany && !relationship.isTransient {
            checkDestination(table, key, row, entity, relationship, previous)
        }
    }

    private func isStored(_ attribute: NSAttributeDescription) -> Bool {
        !attribute.isTransient && !(attribute is NSDerivedAttributeDescription) && !(attribute is NSCompositeAttributeDescription)
    }

    private func checkDestination(
        _ table: String, _ key: Int64, _ row: Row, _ entity: NSEntityDescription, _ relationship: NSRelationshipDescription,
        _ previous: Row?
    ) {
        guard let column = column(of: relationship, entity), let destination = relationship.destinationEntity else { return }
        guard let target = Self.integer(row[column]) else {
            if !relationship.isOptional { problems.append("\(name(table, key)): \(relationship.name) is required and NULL") }
            return
        }
        let targetTable = Self.table(destination)
        guard let other = state.rows[targetTable]?[target] else {
            // Without an inverse nobody is told of a deletion, nor by a rule that does nothing; but no save writes such a key.
            let isTold = relationship.inverseRelationship.map { $0.deleteRule != .noActionDeleteRule } ?? false
            if isTold || previous?[column] != row[column] {
                problems.append("\(name(table, key)): \(relationship.name) is \(target), and there is no such row")
            }
            return
        }
        if let found = self.entity(other), !found.isKindOf(entity: destination) {
            problems.append("\(name(table, key)): \(relationship.name) leads to a \(found.name ?? "")")
        }
        guard let inverse = relationship.inverseRelationship, let found = self.entity(other) else { return }
        if !inverse.isToMany, let back = self.column(of: inverse, found), Self.integer(other[back]) != key {
            problems.append(
                "\(name(table, key)): \(relationship.name) is \(target), whose \(inverse.name) is \(other[back] ?? "NULL")")
        }
    }

    private func checkConstraints(_ entity: NSEntityDescription) {
        for constraint in entity.uniquenessConstraints {
            let names = constraint.compactMap { $0 as? String ?? ($0 as? NSPropertyDescription)?.name }
            var seen: [[String]: Int64] = [:]
            for (key, row) in state.rows[Self.table(entity)] ?? [:] {
                guard let found = self.entity(row), found.isKindOf(entity: entity) else { continue }
                let values = names.compactMap { name in
                    found.propertiesByName[name].flatMap { column(of: $0, found) }.flatMap { row[$0] }
                }
                guard values.count == names.count else { continue }
                if let other = seen.updateValue(key, forKey: values) {
                    problems.append(
                        "\(entity.name ?? "") \(other) and \(key) have the same \(names.joined(separator: ", ")): \(values)")
                }
            }
        }
    }

    // MARK: To-many relationships

    private func checkMembers(_ entity: NSEntityDescription, _ relationship: NSRelationshipDescription) {
        guard let inverse = relationship.inverseRelationship, let destination = relationship.destinationEntity,
            !relationship.isTransient
        else { return }
        let pairs =
            inverse.isToMany ? joined(entity, relationship, inverse, destination) : owned(relationship, inverse, destination)
        guard let pairs else { return }
        var members: [Int64: [Row?]] = [:]
        for pair in pairs { members[pair.owner, default: []].append(pair.order.map { ["order": $0] }) }
        for (owner, orders) in members where relationship.isOrdered {
            let values = orders.compactMap { $0?["order"] }
            if values.count != orders.count {
                problems.append("\(entity.name ?? "") \(owner): \(relationship.name) has members without a place")
            }
            if Set(values).count != values.count {
                problems.append("\(entity.name ?? "") \(owner): \(relationship.name) has two members at one place")
            }
        }
        for (key, row) in state.rows[Self.table(entity)] ?? [:] {
            guard let found = self.entity(row), found.isKindOf(entity: entity) else { continue }
            let count = members[key]?.count ?? 0
            let isTooSmall = count == 0 ? !relationship.isOptional && relationship.minCount > 0 : count < relationship.minCount
            if isTooSmall { problems.append("\(found.name ?? "") \(key): \(relationship.name) has \(count) members") }
        }
    }

    private typealias Pair = (owner: Int64, member: Int64, order: String?)

    /// The members by their foreign keys; these were checked with their rows.
    private func owned(
        _ relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription, _ destination: NSEntityDescription
    )
        -> [Pair]?
    {
        var pairs: [Pair] = []
        for (key, row) in state.rows[Self.table(destination)] ?? [:] {
            guard let found = entity(row), found.isKindOf(entity: destination) else { continue }
            guard let column = column(of: inverse, found) else { return nil }
            let order = row["Z_FOK_" + column.dropFirst()]
            guard let owner = Self.integer(row[column]) else {
                if order != nil { problems.append("\(found.name ?? "") \(key) has a place in no \(relationship.name)") }
                continue
            }
            pairs.append((owner, key, order))
        }
        return pairs
    }

    private func joined(
        _ entity: NSEntityDescription, _ relationship: NSRelationshipDescription, _ inverse: NSRelationshipDescription,
        _ destination: NSEntityDescription
    ) -> [Pair]? {
        /// Whether a name is a relationship's behind an entity's number, a suffix aside.
        func leads(_ column: String, _ relationship: NSRelationshipDescription) -> Bool {
            guard column.hasPrefix("Z_"), !column.hasPrefix("Z_FOK") else { return false }
            return column.dropFirst(2).drop { $0.isNumber } == relationship.name.uppercased()[...]
        }
        guard relationship !== inverse, relationship.name.last?.isNumber == false, inverse.name.last?.isNumber == false else {
            return nil
        }
        var found: (table: String, member: String, owner: String)?
        for (table, rows) in state.joins where leads(table, relationship) || leads(table, inverse) {
            let columns = rows[0].keys
            let members = columns.filter { leads($0, relationship) }
            let owners = columns.filter { leads($0, inverse) }
            guard members.count == 1, owners.count == 1, members != owners else { continue }
            // Two pairs of relationships with the same names: who is who, the numbers would tell.
            guard found == nil else { return nil }
            found = (table, members[0], owners[0])
        }
        guard let found else { return nil }
        var pairs: [Pair] = []
        var seen: Set<[Int64]> = []
        for row in state.joins[found.table]?.dropFirst() ?? [] {
            guard let owner = Self.integer(row[found.owner]), let member = Self.integer(row[found.member]) else {
                problems.append("\(found.table): a row without keys")
                continue
            }
            if !seen.insert([owner, member]).inserted { problems.append("\(found.table): \(owner), \(member) twice") }
            for (key, side) in [(owner, entity), (member, destination)] {
                guard let other = state.rows[Self.table(side)]?[key], let kind = self.entity(other), kind.isKindOf(entity: side)
                else {
                    problems.append("\(found.table): \(key) is no \(side.name ?? "")")
                    continue
                }
            }
            pairs.append((owner, member, row["Z_FOK_" + found.member.dropFirst(2)]))
        }
        return pairs
    }

    // MARK: What was there

    private func checkChanges(
        since previous: State, _ mayChange: (NSEntityDescription, Int64, Row, String) -> Bool
    ) {
        for (table, rows) in state.rows {
            for (key, row) in rows {
                guard let old = previous.rows[table]?[key], old != row, let entity = entity(row) else { continue }
                for attribute in entity.attributesByName.values where isStored(attribute) {
                    guard let column = column(of: attribute, entity), old[column] != row[column],
                        !mayChange(entity, key, row, attribute.name)
                    else { continue }
                    problems.append(
                        "\(name(table, key)): \(attribute.name) was \(old[column] ?? "NULL") and is \(row[column] ?? "NULL"), which nobody has set"
                    )
                }
            }
        }
    }

    // MARK: Columns

    private var columns: [ObjectIdentifier: String?] = [:]

    /// A property's column; nil if it has none of its own, or if another property of the table has the same name.
    func column(of property: NSPropertyDescription, _ entity: NSEntityDescription) -> String? {
        guard let own = entity.propertiesByName[property.name] else { return nil }
        if let known = columns[ObjectIdentifier(own)] { return known }
        let table = Self.table(entity)
        let wanted = own.name.uppercased()
        var rivals: Set<ObjectIdentifier> = []
        for other in model.entities where Self.table(other) == table {
            for (name, candidate) in other.propertiesByName {
                let isColumn = (candidate as? NSRelationshipDescription).map { !$0.isToMany } ?? true
                if isColumn, name.uppercased() == wanted { rivals.insert(ObjectIdentifier(candidate)) }
                // A composite's elements are named after themselves.
                if candidate is NSCompositeAttributeDescription { rivals.insert(ObjectIdentifier(candidate)) }
            }
        }
        let isClear = rivals.count == 1 && own.name.last?.isNumber != true
        columns[ObjectIdentifier(own)] = isClear ? "Z" + wanted : nil
        return isClear ? "Z" + wanted : nil
    }
}
