import DataModel
import Storage

/// Fits a model to an existing file: the entity numbers that the file gives its entities, and everything in which the two differ.
struct StoreCompatibility {
    /// What differs, by entity: each a phrase for an error message.
    private(set) var differences: [String] = []
    private(set) var entityNames: Set<String> = []
    /// Differences that keep the file from being used even if versioning is ignored.
    private(set) var obstacles: [String] = []
    private(set) var mapping: StoreMapping?

    private let layout: ModelLayout
    private let file: FileSchema

    /// - Throws: `MappingBuilder.Problem`
    init(_ layout: ModelLayout, _ file: FileSchema) throws {
        self.layout = layout
        self.file = file
        guard let numbers = matchEntities() else { return }
        var builder = MappingBuilder(layout, numbers: numbers)
        var mapping = try builder.build()
        checkTables(mapping)
        checkJoins(&mapping)
        checkExtraTables(mapping)
        mapping.markDerivedColumns(triggers: file.triggers)
        if obstacles.isEmpty { self.mapping = mapping }
    }

    private mutating func differ(_ entity: String, _ text: String, isObstacle: Bool = false) {
        differences.append(text)
        entityNames.insert(entity)
        if isObstacle { obstacles.append(text) }
    }

    // MARK: Entities

    /// By name, then by renaming identifier. Nil if one is missing.
    private mutating func matchEntities() -> [Int]? {
        let byName = Dictionary(file.entities.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        var found: [Int: FileSchema.Entity] = [:]
        var taken: Set<Int> = []
        for entity in layout.entities {
            guard let match = byName[entity.name] else { continue }
            found[entity.index] = match
            taken.insert(match.number)
        }
        for entity in layout.entities where found[entity.index] == nil {
            guard let match = entity.description.renamingIdentifier.flatMap({ byName[$0] }), taken.insert(match.number).inserted
            else {
                differ(entity.name, "the store has no entity “\(entity.name)”", isObstacle: true)
                continue
            }
            found[entity.index] = match
        }
        for entity in file.entities where !taken.contains(entity.number) {
            differ(entity.name, "the model has no entity “\(entity.name)”")
        }
        guard found.count == layout.entities.count else { return nil }
        for entity in layout.entities {
            let parent = entity.parent.flatMap { found[$0] }
            guard let match = found[entity.index], match.parent != parent?.number ?? 0 else { continue }
            let inFile = file.entities.first { $0.number == match.parent }.map { "“\($0.name)”" } ?? "none"
            differ(
                entity.name,
                "the parent of “\(entity.name)” is \(inFile) in the store and "
                    + "\(entity.parent.map { "“\(layout.entities[$0].name)”" } ?? "none") in the model")
        }
        return layout.entities.compactMap { found[$0.index]?.number }
    }

    // MARK: Columns

    private mutating func checkTables(_ mapping: StoreMapping) {
        for table in mapping.tables {
            let root = layout.entities[table.root].name
            guard let columns = file.columns(of: table.name) else {
                differ(root, "the store has no table \(table.name) for “\(root)”", isObstacle: true)
                continue
            }
            var expected: Set<SQLName> = [.primaryKey, .entityNumber, .version]
            for column in expected where file.type(of: column, in: table.name) == nil {
                differ(root, "the table \(table.name) of “\(root)” has no column \(column)", isObstacle: true)
            }
            for column in table.columns {
                expected.insert(column.name)
                let type = file.type(of: column.name, in: table.name)
                if type == column.sqlType { continue }
                let (entity, property) = owner(of: column.name, in: table, mapping)
                guard let type else {
                    differ(entity, "the store has no column \(table.name).\(column.name) for “\(property)”", isObstacle: true)
                    continue
                }
                differ(entity, "“\(property)” is \(type) in the store and \(column.sqlType) in the model")
            }
            for column in columns.sorted() where column.hasPrefix("Z") && SQLName(column).map(expected.contains) != true {
                differ(root, "the model has no property of “\(root)” or its subentities for the column \(table.name).\(column)")
            }
        }
    }

    /// The entity and "Entity.property" that a column belongs to, for messages.
    private func owner(of column: SQLName, in table: StoreMapping.Table, _ mapping: StoreMapping) -> (String, String) {
        for index in layout.family(of: table.root) {
            for (property, name) in mapping.declaredColumns[index] where name == column {
                return (layout.entities[index].name, "\(layout.entities[index].name).\(property)")
            }
        }
        for entity in layout.entities {
            for relationship in entity.relationships {
                let name = "\(entity.name).\(relationship.name)"
                switch mapping.places[relationship.id] {
                case .toOne(let key)? where key.table == table.name && key.entityColumn == column: return (entity.name, name)
                case .members(let key, _)? where key.table == table.name && (key.column == column || key.orderColumn == column):
                    return (entity.name, name)
                default: break
                }
            }
        }
        return (layout.entities[table.root].name, layout.entities[table.root].name)
    }

    // MARK: Join tables

    /// Puts the names of the file into the mapping: a self-referencing pair may be named after either side, and numbers behind
    /// names may differ.
    private mutating func checkJoins(_ mapping: inout StoreMapping) {
        for (index, join) in mapping.joins.enumerated() {
            let name = layout.entities[join.owner].relationship(id: join.relationship)?.name ?? ""
            let entity = layout.entities[join.owner].name
            let inverse = layout.entities[join.inverseOwner].relationship(id: join.inverse)?.name ?? ""
            let other = SQLName("Z_\(mapping.numbers[join.inverseOwner])\(SQLName.uppercase(inverse))")
            if let columns = file.columns(of: join.table) {
                adopt(columns, isSwapped: false, &mapping.joins[index], entity)
            } else if join.owner == join.inverseOwner, let other, let columns = file.columns(of: other) {
                mapping.joins[index].table = other
                adopt(columns, isSwapped: true, &mapping.joins[index], entity)
            } else {
                differ(entity, "the store has no join table \(join.table) for “\(entity).\(name)”", isObstacle: true)
                continue
            }
            let found = mapping.joins[index]
            if (found.firstOrder == nil) != (join.firstOrder == nil) || (found.secondOrder == nil) != (join.secondOrder == nil) {
                differ(entity, "“\(entity).\(name)” or its inverse is ordered in only one of store and model")
            }
        }
        mapping.setJoinPlaces()
    }

    private mutating func adopt(_ columns: [String], isSwapped: Bool, _ join: inout StoreMapping.Join, _ entity: String) {
        let names = columns.compactMap { SQLName($0) }
        let keys = names.filter { !$0.text.hasPrefix("Z_FOK_") }
        guard keys.count == 2, names.count == columns.count else {
            differ(
                entity,
                "the columns of the join table \(join.table) are not two keys and their orders: "
                    + columns.map { "“\($0)”" }.joined(separator: ", "), isObstacle: true)
            return
        }
        func order(_ key: SQLName) -> SQLName? {
            guard let name = SQLName("Z_FOK_\(key.text.dropFirst(2))"), names.contains(name) else { return nil }
            return name
        }
        if isSwapped || !keys.contains(join.first) || !keys.contains(join.second) {
            join.first = keys[isSwapped ? 1 : 0]
            join.second = keys[isSwapped ? 0 : 1]
        }
        join.firstOrder = order(join.first)
        join.secondOrder = order(join.second)
    }

    private mutating func checkExtraTables(_ mapping: StoreMapping) {
        let known = Set(mapping.joins.map(\.table.text))
        for table in file.tables.keys.sorted() where isJoinName(table) && !known.contains(table) {
            let number = Int(table.dropFirst(2).prefix { $0.isNumber }) ?? 0
            let entity = file.entities.first { $0.number == number }?.name ?? ""
            differ(entity, "the model has no many-to-many relationship of “\(entity)” for the table \(table)")
        }
    }

    private func isJoinName(_ name: String) -> Bool {
        name.hasPrefix("Z_") && name.dropFirst(2).first?.isNumber == true && file.columnOrder[name]?.contains("Z_PK") == false
    }
}
