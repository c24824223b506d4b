import DataModel
import Storage

/// The statements that make the tables, indexes and triggers of a new store, in the order in which Core Data runs them.
struct SchemaStatements {
    static let modelCache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"
    static let bookkeeping = [
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
        modelCache,
    ]

    let mapping: StoreMapping
    /// Whether the model lists the index of an indexed attribute among its fetch indexes.
    let listsImplicitIndexes: Bool

    /// - Throws: `MappingBuilder.Problem`
    func all() throws -> [String] {
        var statements: [String] = []
        let joins = joinsByRoot
        for table in mapping.tables {
            statements.append(createTable(table))
            statements += (joins[table.root] ?? []).map(createTable)
        }
        statements += try indexes()
        statements += try DerivedCountTriggers(mapping: mapping).statements()
        return statements + SchemaStatements.bookkeeping
    }

    private var joinsByRoot: [Int: [StoreMapping.Join]] {
        Dictionary(grouping: mapping.joins) { mapping.layout.entities[$0.owner].root }
    }

    func createTable(_ table: StoreMapping.Table) -> String {
        let system = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
        let columns = system + table.columns.map { "\($0.name) \($0.sqlType)" }
        return "CREATE TABLE \(table.name) ( \(columns.joined(separator: ", ")) )"
    }

    func createTable(_ join: StoreMapping.Join) -> String {
        let columns = [join.first, join.second, join.firstOrder, join.secondOrder].compactMap { $0.map { "\($0) INTEGER" } }
        return "CREATE TABLE \(join.table) ( \(columns.joined(separator: ", ")), PRIMARY KEY (\(join.first), \(join.second)) )"
    }

    // MARK: Indexes

    /// - Throws: `MappingBuilder.Problem`
    func indexes() throws -> [String] {
        var names: Set<String> = []
        let joins = joinsByRoot
        let hiddenKeys = Dictionary(grouping: mapping.hiddenKeys, by: \.table)
        return try mapping.tables.flatMap { table in
            try indexes(table, joins[table.root] ?? [], hiddenKeys[table.name] ?? [], &names)
        }
    }

    private func indexes(
        _ table: StoreMapping.Table, _ joins: [StoreMapping.Join], _ hiddenKeys: [ForeignKey], _ names: inout Set<String>
    ) throws -> [String] {
        var statements: [String] = []
        // SQLite compares names without regard to case; of two indexes with one name the first is kept.
        func add(_ name: SQLName, _ statement: String) {
            if names.insert(SQLName.uppercase(name.text)).inserted { statements.append(statement) }
        }
        func plain(_ column: SQLName) throws {
            let name = try SQLName(checking: "\(table.name)_\(column)_INDEX")
            add(name, "CREATE INDEX \(name) ON \(table.name) (\(column))")
        }
        let family = mapping.family(of: table.root)
        for index in family {
            for relationship in mapping.layout.entities[index].relationships.sorted(by: { SQLName.precedes($0.name, $1.name) })
            where relationship.declaringEntity == index {
                if case .toOne(let key)? = mapping.places[relationship.id] { try plain(key.column) }
            }
        }
        for key in hiddenKeys { try plain(key.column) }
        for join in joins {
            let name = try SQLName(checking: "\(join.table)_\(join.second)_INDEX")
            add(name, "CREATE INDEX \(name) ON \(join.table) (\(join.second), \(join.first))")
        }
        if family.count > 1 { try plain(.entityNumber) }
        for index in family {
            for (name, elements) in try fetchIndexes(index) {
                add(name, "CREATE INDEX \(name) ON \(table.name) (\(elements.joined(separator: ", ")))")
            }
            for (name, elements) in try uniqueIndexes(index) {
                add(name, "CREATE UNIQUE INDEX \(name) ON \(table.name) (\(elements.joined(separator: ", ")))")
            }
        }
        return statements
    }

    private func indexName(_ entity: NSEntityDescription, _ end: String) throws -> SQLName {
        try SQLName(checking: "Z_\(entity.name ?? "")_\(end)")
    }

    /// Indexes over properties without a column, spatial and partial indexes are left out: they only serve speed.
    private func fetchIndexes(_ entity: Int) throws -> [(name: SQLName, elements: [String])] {
        let description = mapping.layout.entities[entity].description
        var result: [(name: SQLName, elements: [String])] = []
        let declared = Set(description.indexes.map(\.name))
        if !listsImplicitIndexes {
            let alone = Set(
                description.indexes.compactMap { index -> String? in
                    guard index.elements.count == 1, index.elements[0].isAscending else { return nil }
                    return index.elements[0].propertyName
                })
            let attributes = description.ownProperties.compactMap { $0 as? NSAttributeDescription }
                .sorted { SQLName.precedes($0.name, $1.name) }
            for attribute in attributes
            where (attribute.isIndexed || alone.contains(attribute.name)) && !declared.contains(attribute.name) {
                guard let column = mapping.column(of: attribute.name, in: entity) else { continue }
                result.append((try indexName(description, attribute.name), ["\(column) COLLATE BINARY ASC"]))
            }
        }
        for index in description.indexes {
            guard SQLName.isPlain(index.name), index.partialIndexPredicateString == nil, !index.elements.isEmpty,
                index.elements.allSatisfy({ $0.collationType == .binary })
            else { continue }
            if index.elements.count == 1, index.elements[0].property is NSRelationshipDescription { continue }
            let elements = index.elements.compactMap { element in
                element.propertyName.flatMap { mapping.column(of: $0, in: entity) }
                    .map { "\($0) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")" }
            }
            guard elements.count == index.elements.count else { continue }
            result.append((try indexName(description, index.name), elements))
        }
        return result
    }

    private func uniqueIndexes(_ entity: Int) throws -> [(name: SQLName, elements: [String])] {
        let description = mapping.layout.entities[entity].description
        return try description.uniquenessConstraintNames.filter { !$0.isEmpty }.map { properties in
            let elements = try properties.map { property in
                guard let column = mapping.column(of: property, in: entity) else {
                    throw MappingBuilder.Problem(
                        text: "the uniqueness constraint (\(properties.joined(separator: ", "))) of "
                            + "“\(description.name ?? "")” needs “\(property)”, which has no column")
                }
                return "\(column) COLLATE BINARY ASC"
            }
            return (try indexName(description, "UNIQUE_" + properties.joined(separator: "_")), elements)
        }
    }
}
