import DataModel
import Foundation
import Storage

/// Looks at the rows that a migration is about: how many there are, which values would be lost, and which keep it from
/// being done.
struct MigrationCounts {
    let mapping: MigrationMapping
    let defaults: [Row]
    let connection: Connection
    /// Whether rows are counted that a migration does not look at.
    var countsAll = false
    /// How many objects an error names.
    private static let namedCount = 5

    /// The changes of a plan with what the rows say of each.
    func counted(_ changes: [MigrationPlan.Change]) throws -> [MigrationPlan.Change] {
        var result = try changes.map(counted)
        for entity in mapping.new.layout.entities {
            for names in entity.description.uniquenessConstraintNames where !names.isEmpty {
                let text = MigrationInference.uniqueness(names)
                // Values that had to be unique before still are.
                guard
                    let index = result.firstIndex(where: {
                        $0.entity == entity.name && $0.property == nil && $0.difference == text
                    }), let obstacle = try duplicates(names, entity)
                else { continue }
                result[index].obstacle = obstacle
                result[index].advice =
                    "Make them different, or delete all but one, with the older model, or in a custom stage before this one"
            }
        }
        return result
    }

    private func counted(_ change: MigrationPlan.Change) throws -> MigrationPlan.Change {
        var change = change
        switch change.kind {
        case .removed: try countLoss(&change)
        case .added, .changed, .renamed, .moved: try countRows(&change)
        }
        return change
    }

    private func count(_ query: String) throws -> Int {
        var count = 0
        try connection.rows(query, .reading) { count = Int($0.integer(0)) }
        return count
    }

    private func list(_ numbers: [Int]) -> String { numbers.map(String.init).joined(separator: ", ") }

    private func rowCount(_ entities: [Int]) throws -> Int {
        guard let first = entities.first else { return 0 }
        let numbers = list(entities.map { mapping.old.numbers[$0] })
        return try count("SELECT COUNT(*) FROM \(mapping.old.table(of: first)) WHERE Z_ENT IN (\(numbers))")
    }

    // MARK: Losses

    private func countLoss(_ change: inout MigrationPlan.Change) throws {
        guard let entity = mapping.old.layout.entity(named: change.entity) else { return }
        guard let property = change.property else {
            change.rowCount = try rowCount([entity.index])
            change.lostCount = change.rowCount ?? 0
            return
        }
        // Only objects that there still are: those of removed entities are counted there.
        let losing = mapping.old.layout.family(of: entity.index).filter { index in
            guard let destination = mapping.destinations[index] else { return false }
            let name = mapping.new.layout.entities[destination].name
            let kept = mapping.match.entities[name]?.properties.values.map(\.name) ?? []
            return !kept.contains(property.split(separator: ".").first.map(String.init) ?? "")
                || property.contains(".") && index == entity.index
        }
        guard let first = losing.first else { return }
        if countsAll { change.rowCount = try rowCount(losing) }
        if let relationship = entity.relationship(named: property) {
            change.lostCount = try countPairs(relationship, losing)
            return
        }
        let prefix = "\(property)."
        let columns = mapping.old.layout.entities[first].slots.indices.compactMap { slot -> SQLName? in
            let name = mapping.old.layout.entities[first].slots[slot].name
            guard name == property || name.hasPrefix(prefix) else { return nil }
            return mapping.old.entities[first].column(slot: slot)?.name
        }
        guard !columns.isEmpty else { return }
        let numbers = list(losing.map { mapping.old.numbers[$0] })
        change.lostCount = try count(
            "SELECT COUNT(*) FROM \(mapping.old.table(of: first)) WHERE Z_ENT IN (\(numbers)) AND "
                + "COALESCE(\((columns.map(\.text) + ["NULL"]).joined(separator: ", "))) NOT NULL")
    }

    private func countPairs(_ relationship: RelationshipLayout, _ owners: [Int]) throws -> Int {
        // What the inverse keeps is not lost.
        if let inverse = relationship.inverse, mapping.relationships.contains(where: { mapping.source(of: $0)?.id == inverse }) {
            return 0
        }
        let numbers = list(owners.map { mapping.old.numbers[$0] })
        switch mapping.old.places[relationship.id] {
        case .toOne(let key)?:
            return try count(
                "SELECT COUNT(*) FROM \(key.table) WHERE \(key.column) NOT NULL AND Z_ENT IN (\(numbers))")
        case .members(let key, isHidden: true)?: return try count("SELECT COUNT(\(key.column)) FROM \(key.table)")
        case .join(let side)? where relationship.id <= relationship.inverse ?? relationship.id:
            return try count("SELECT COUNT(*) FROM \(side.table)")
        case .join?, .members?, nil: return 0
        }
    }

    // MARK: Required values

    private func countRows(_ change: inout MigrationPlan.Change) throws {
        guard let entity = mapping.new.layout.entity(named: change.entity) else { return }
        let newFamily = mapping.new.layout.family(of: entity.index)
        guard let property = change.property else {
            let sources = mapping.sources[entity.index].map { [$0] } ?? []
            if countsAll || entity.isAbstract { change.rowCount = try rowCount(sources) }
            if entity.isAbstract, change.kind == .changed, let count = change.rowCount, count > 0,
                change.difference == "is abstract now"
            {
                change.obstacle = "there are \(count) objects of it, and an abstract entity has none"
                change.advice = "Make objects of a subentity of them in a custom stage or a mapping model"
            }
            return
        }
        let concerned = newFamily.filter { mapping.sources[$0] != nil }
        if countsAll { change.rowCount = try rowCount(concerned.compactMap { mapping.sources[$0] }) }
        guard change.obstacle == nil, change.kind == .added || change.difference == "is required now" else { return }
        guard let missing = try missingValues(property, concerned), missing.count > 0 else { return }
        let what = entity.slotByName[property].flatMap { entity.relationship(slot: $0) } == nil ? "value" : "destination"
        change.obstacle =
            "\(MigrationFailure.rows(missing.first, of: missing.count)) \(missing.count == 1 ? "has" : "have") no \(what) for it"
        change.advice =
            what == "value"
            ? "Give the attribute a default value, make it optional, or set the values in a custom stage"
            : "Make the relationship optional, or set it in a custom stage"
    }

    /// The objects without a value for a property that is required and has no default value; nil if it is not.
    private func missingValues(_ property: String, _ entities: [Int]) throws -> (first: [Int64], count: Int)? {
        var first: [Int64] = []
        var total = 0
        for entity in entities {
            let layout = mapping.new.layout.entities[entity]
            let prefix = "\(property)."
            for slot in layout.requiredSlots
            where layout.slots[slot].isPersistent
                && (layout.slots[slot].name == property || layout.slots[slot].name.hasPrefix(prefix))
            {
                guard let condition = try missing(slot, entity), let source = mapping.sources[entity] else { continue }
                let rest =
                    "FROM \(mapping.old.table(of: source)) WHERE Z_ENT = \(mapping.old.numbers[source])\(condition)"
                total += try count("SELECT COUNT(*) \(rest)")
                try connection.rows("SELECT Z_PK \(rest) ORDER BY Z_PK LIMIT \(Self.namedCount)", .reading) {
                    if first.count < Self.namedCount { first.append($0.integer(0)) }
                }
            }
        }
        return (first, total)
    }

    /// The rest of the condition for rows that will have no value in a slot; nil if there can be none.
    private func missing(_ slot: Int, _ entity: Int) throws -> String? {
        let layout = mapping.new.layout.entities[entity]
        guard Row.isNil(defaults[entity].slots, slot), let column = mapping.new.entities[entity].column(slot: slot),
            !(layout.slots[slot].attribute is NSDerivedAttributeDescription)
        else { return nil }
        switch mapping.origins(of: entity)[column.name] {
        case .column(let name, _, _)?: return " AND \(name) IS NULL"
        case .defaultValue?: return ""
        case nil: return nil
        case .some(.none):
            // A to-one relationship that gets its destinations from its inverse.
            guard let relationship = layout.relationship(slot: slot), mapping.hasOtherForm(relationship),
                let inverse = mapping.inverse(of: relationship), let other = mapping.source(of: inverse),
                case .toOne(let key)? = mapping.old.places[other.id]
            else { return "" }
            return " AND Z_PK NOT IN (SELECT \(key.column) FROM \(key.table) WHERE \(key.column) NOT NULL)"
        }
    }

    // MARK: Uniqueness

    /// What keeps values from being unique; nil if they are.
    private func duplicates(_ names: [String], _ entity: EntityLayout) throws -> String? {
        let family = mapping.new.layout.family(of: entity.index)
        guard let source = family.lazy.compactMap({ mapping.sources[$0] }).first else { return nil }
        var columns: [SQLName] = []
        for name in names {
            guard let column = mapping.new.column(of: name, in: entity.index) else { return nil }
            guard let first = family.first(where: { mapping.sources[$0] != nil }),
                case .column(let old, _, _)? = mapping.origins(of: first)[column]
            else { return nil }
            columns.append(old)
        }
        let table = mapping.old.table(of: source)
        let numbers = list(family.compactMap { mapping.sources[$0] }.map { mapping.old.numbers[$0] })
        let present = columns.map { " AND \($0) NOT NULL" }.joined()
        let group = columns.map(\.text).joined(separator: ", ")
        var groups: [[Int64]] = []
        var count = 0
        try connection.rows(
            "SELECT group_concat(Z_PK), COUNT(*) OVER () FROM \(table) WHERE Z_ENT IN (\(numbers))\(present) GROUP BY \(group) "
                + "HAVING COUNT(*) > 1 ORDER BY MIN(Z_PK) LIMIT \(Self.namedCount)", .reading
        ) { row in
            groups.append((row.text(0) ?? "").split(separator: ",").compactMap { Int64($0) }.sorted())
            count = Int(row.integer(1))
        }
        guard !groups.isEmpty else { return nil }
        let texts = groups.map { keys in
            MigrationFailure.rows(Array(keys.prefix(Self.namedCount)), of: keys.count) + " have the same values"
        }
        return texts.joined(separator: "; ") + (count > groups.count ? "; and \(count - groups.count) more groups" : "")
    }
}
