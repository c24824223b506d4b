import DataModel
import Storage

/// Computes a `StoreMapping` from a model's layout and entity numbers.
struct MappingBuilder {
    /// What keeps a model from having a schema.
    struct Problem: Error {
        let text: String
    }

    private let layout: ModelLayout
    private let numbers: [Int]
    private let order: [Int]
    /// To-many relationships without inverse, by the root of their destination, in the order of the declaring entities.
    private var hiddenByRoot: [Int: [RelationshipLayout]] = [:]
    /// Each relationship as its declaring entity has it, by id.
    private var declared: [RelationshipLayout?]
    private var tables: [StoreMapping.Table] = []
    /// Attribute columns by declaring entity and path.
    private var attributes: [[String: (name: SQLName, type: ColumnType)]]
    private var toOne: [Int: ForeignKey] = [:]
    private var hidden: [Int: ForeignKey] = [:]
    private var hiddenOrder: [ForeignKey] = []

    init(_ layout: ModelLayout, numbers: [Int]) {
        self.layout = layout
        self.numbers = numbers
        order = numbers.indices.sorted { numbers[$0] < numbers[$1] }
        declared = Array(repeating: nil, count: layout.relationshipCount)
        attributes = Array(repeating: [:], count: layout.entities.count)
        for entity in layout.entities {
            for relationship in entity.relationships where relationship.declaringEntity == entity.index {
                declared[relationship.id] = relationship
            }
        }
        for index in order {
            let relationships = layout.entities[index].relationships
                .filter { $0.declaringEntity == index && $0.storage == .hiddenForeignKey }
                .sorted { SQLName.precedes($0.name, $1.name) }
            for relationship in relationships {
                hiddenByRoot[layout.entities[relationship.destination].root, default: []].append(relationship)
            }
        }
    }

    /// - Throws: `Problem`
    mutating func build() throws -> StoreMapping {
        try checkNames()
        let joins = try makeJoins()
        for root in order where layout.entities[root].depth == 0 { try addTable(root) }
        try checkTables(joins)
        var entities = try layout.entities.map {
            StoredEntity(layout: $0, number: numbers[$0.index], table: try tableName($0.index), columns: [])
        }
        for index in entities.indices { entities[index].columns = columns(of: layout.entities[index]) }
        var indices = [Int32](repeating: -1, count: (numbers.max() ?? 0) + 1)
        for (index, number) in numbers.enumerated() { indices[number] = Int32(index) }
        var declaredColumns = attributes.map { $0.mapValues(\.name) }
        for (id, key) in toOne {
            if let relationship = declared[id] { declaredColumns[relationship.declaringEntity][relationship.name] = key.column }
        }
        var mapping = StoreMapping(
            layout: layout, numbers: numbers, indices: indices, tables: tables, joins: joins, entities: entities,
            places: Array(repeating: nil, count: layout.relationshipCount), hiddenKeys: hiddenOrder,
            declaredColumns: declaredColumns)
        mapping.setPlaces(declared: declared, toOne: toOne, hidden: hidden)
        return mapping
    }

    private func tableName(_ entity: Int) throws -> SQLName {
        try SQLName(checking: "Z" + SQLName.uppercase(layout.entities[layout.entities[entity].root].name))
    }

    private func qualified(_ relationship: RelationshipLayout) -> String {
        "\(layout.entities[relationship.declaringEntity].name).\(relationship.name)"
    }

    // MARK: Checks

    private func checkNames() throws {
        for entity in layout.entities {
            guard SQLName.isPlain(entity.name) else {
                throw Problem(text: "the entity name “\(entity.name)” can't name a table: only letters, digits and “_” can")
            }
            for property in entity.description.ownProperties where !(property is NSFetchedPropertyDescription) {
                try checkName(property, path: property.name, of: entity)
            }
            for slot in entity.slots where slot.isPersistent && slot.attributeType == .objectIDAttributeType {
                throw Problem(
                    text: "the attribute “\(entity.name).\(slot.name)” is of type Object ID, which SQLite stores can't keep")
            }
        }
        for case let relationship? in declared where relationship.isToMany && relationship.storage != .transient {
            guard let inverse = relationship.inverse.flatMap({ declared[$0] }), inverse.storage == .transient else { continue }
            throw Problem(
                text: "the relationship “\(qualified(relationship))” is stored, but its inverse "
                    + "“\(qualified(inverse))” is transient")
        }
    }

    /// Dots stand between a composite and its elements only, never in a name.
    private func checkName(_ property: NSPropertyDescription, path: String, of entity: EntityLayout) throws {
        guard SQLName.isPlain(property.name) else {
            throw Problem(
                text: "the property name “\(path)” of “\(entity.name)” can't name a column: only letters, digits and “_” can")
        }
        for element in (property as? NSCompositeAttributeDescription)?.elements ?? [] {
            try checkName(element, path: "\(path).\(element.name)", of: entity)
        }
    }

    private func checkTables(_ joins: [StoreMapping.Join]) throws {
        var owners = ["Z_PRIMARYKEY": "", "Z_METADATA": "", "Z_MODELCACHE": ""]
        for table in tables {
            let name = "the entity “\(layout.entities[table.root].name)”"
            if let other = owners.updateValue(name, forKey: table.name.text) {
                throw Problem(
                    text: "\(other.isEmpty ? "the store's own tables" : other) and \(name) would share the table \(table.name)")
            }
        }
        for join in joins {
            let name = declared[join.relationship].map { "the relationship “\(qualified($0))”" } ?? ""
            if let other = owners.updateValue(name, forKey: join.table.text) {
                throw Problem(
                    text: "\(other.isEmpty ? "the store's own tables" : other) and \(name) would share the table \(join.table)")
            }
        }
    }

    // MARK: Join tables

    private func makeJoins() throws -> [StoreMapping.Join] {
        var names = NameRegister()
        var done: Set<Set<Int>> = []
        var joins: [StoreMapping.Join] = []
        for entity in layout.entities.sorted(by: { SQLName.precedes($0.name, $1.name) }) {
            for relationship in entity.relationships.sorted(by: { SQLName.precedes($1.name, $0.name) }) {
                guard relationship.storage == .manyToMany, let inverse = relationship.inverse.flatMap({ declared[$0] }),
                    done.insert([relationship.id, inverse.id]).inserted
                else { continue }
                let owner = relationship.declaringEntity
                let isReflexive = inverse.id == relationship.id
                let first = try names.take("Z_\(numbers[owner])\(SQLName.uppercase(inverse.name))")
                let second =
                    isReflexive
                    ? SQLName(known: "REFLEXIVE")
                    : try names.take("Z_\(numbers[inverse.declaringEntity])\(SQLName.uppercase(relationship.name))")
                joins.append(
                    StoreMapping.Join(
                        owner: owner, inverseOwner: inverse.declaringEntity, relationship: relationship.id, inverse: inverse.id,
                        table: try SQLName(checking: "Z_\(numbers[owner])\(SQLName.uppercase(relationship.name))"), first: first,
                        second: second,
                        firstOrder: inverse.isOrdered && !isReflexive ? try SQLName(orderOf: first, prefix: "Z_") : nil,
                        secondOrder: relationship.isOrdered && !isReflexive ? try SQLName(orderOf: second, prefix: "Z_") : nil))
            }
        }
        return joins
    }

    // MARK: Tables

    private mutating func addTable(_ root: Int) throws {
        let name = try tableName(root)
        var names = NameRegister(reserved: [.primaryKey, .entityNumber, .version])
        var groups: [Int: [StoreMapping.Column]] = [:]
        var ordered: [(number: Int, name: String, column: SQLName)] = []
        for index in layout.family(of: root).sorted(by: { numbers[$0] < numbers[$1] }) {
            try addAttributes(of: index, &names, &groups)
            let relationships = layout.entities[index].relationships
                .filter { $0.declaringEntity == index && $0.storage == .toOne }
                .sorted { SQLName.precedes($0.name, $1.name) }
            for relationship in relationships {
                var key = ForeignKey(table: name, column: try names.take("Z" + SQLName.uppercase(relationship.name)))
                groups[ColumnType.relationshipGroup, default: []].append(.init(name: key.column, sqlType: "INTEGER"))
                if relationship.entitySlot != nil {
                    let column = try names.take("Z\(numbers[relationship.destination])_\(SQLName.uppercase(relationship.name))")
                    key.entityColumn = column
                    groups[ColumnType.relationshipGroup, default: []].append(.init(name: column, sqlType: "INTEGER"))
                }
                if let inverse = relationship.inverse.flatMap({ declared[$0] }), inverse.isOrdered {
                    let column = try SQLName(orderOf: key.column, prefix: "Z")
                    key.orderColumn = column
                    ordered.append((numbers[inverse.declaringEntity], inverse.name, column))
                }
                toOne[relationship.id] = key
            }
        }
        ordered.sort { $0.number == $1.number ? SQLName.precedes($1.name, $0.name) : $0.number < $1.number }
        groups[ColumnType.orderGroup, default: []] += ordered.map { .init(name: $0.column, sqlType: "INTEGER") }
        try addHiddenKeys(root, name, &names, &groups)
        let columns = groups.sorted { $0.key < $1.key }.flatMap(\.value)
        tables.append(StoreMapping.Table(name: name, root: root, columns: columns))
    }

    private mutating func addAttributes(
        of index: Int, _ names: inout NameRegister, _ groups: inout [Int: [StoreMapping.Column]]
    ) throws {
        var wanted: [(path: String, leaf: String, type: ColumnType)] = []
        func add(_ attribute: NSAttributeDescription, path: String) {
            if let composite = attribute as? NSCompositeAttributeDescription {
                for element in composite.elements { add(element, path: "\(path).\(element.name)") }
            } else if let type = ColumnType(attribute) {
                wanted.append((path, attribute.name, type))
            }
        }
        let own = layout.entities[index].description.ownProperties.compactMap { $0 as? NSAttributeDescription }
        for attribute in own.sorted(by: { SQLName.precedes($0.name, $1.name) }) where !attribute.isTransient {
            add(attribute, path: attribute.name)
        }
        // The sort must keep the order of names inside a group.
        for group in Set(wanted.map(\.type.group)).sorted() {
            for (path, leaf, type) in wanted where type.group == group {
                let column = try names.take("Z" + SQLName.uppercase(leaf))
                attributes[index][path] = (column, type)
                groups[group, default: []].append(.init(name: column, sqlType: type.sql))
            }
        }
    }

    /// To-many relationships without inverse keep a foreign key in the table of their destination.
    private mutating func addHiddenKeys(
        _ root: Int, _ table: SQLName, _ names: inout NameRegister, _ groups: inout [Int: [StoreMapping.Column]]
    ) throws {
        for relationship in hiddenByRoot[root] ?? [] {
            let number = numbers[relationship.declaringEntity]
            let column = try names.take("Z\(number)\(SQLName.uppercase(relationship.name))")
            var key = ForeignKey(table: table, column: column)
            groups[ColumnType.orderGroup, default: []].append(.init(name: column, sqlType: "INTEGER"))
            if relationship.isOrdered {
                let order = try SQLName(orderOf: column, prefix: "Z")
                key.orderColumn = order
                groups[ColumnType.orderGroup, default: []].append(.init(name: order, sqlType: "INTEGER"))
            }
            hidden[relationship.id] = key
            hiddenOrder.append(key)
        }
    }

    // MARK: Slots

    private func columns(of entity: EntityLayout) -> [StoredColumn] {
        entity.slots.enumerated().compactMap { index, slot in
            guard slot.isPersistent else { return nil }
            if let relationship = slot.relationship.map({ entity.relationships[$0] }) {
                guard let key = toOne[relationship.id] else { return nil }
                if slot.kind == .toOne {
                    return StoredColumn(
                        name: key.column, sqlType: "INTEGER", encoding: .foreignKey, slot: index, orderColumn: key.orderColumn)
                }
                guard let column = key.entityColumn else { return nil }
                return StoredColumn(
                    name: column, sqlType: "INTEGER", encoding: .entityNumber, slot: index, destination: relationship.destination)
            }
            var next: Int? = entity.index
            while let declaring = next {
                if let (name, type) = attributes[declaring][slot.name] {
                    return StoredColumn(name: name, sqlType: type.sql, encoding: type.encoding, slot: index)
                }
                next = layout.entities[declaring].parent
            }
            return nil
        }
    }
}

extension SQLName {
    /// - Throws: `MappingBuilder.Problem` if the text is not plain.
    init(checking text: String) throws {
        guard let name = SQLName(text) else {
            throw MappingBuilder.Problem(text: "“\(text)” can't be a name in an SQLite store: only letters, digits and “_” can")
        }
        self = name
    }

    /// The column that orders the rows which another column, with a prefix in its name, points from.
    fileprivate init(orderOf column: SQLName, prefix: String) throws {
        try self.init(checking: "Z_FOK_\(column.text.dropFirst(prefix.count))")
    }
}
