import DataModel
import Storage

/// Brings the pairs of relationships that are kept in another way now to their new places: they are noted before the tables
/// change, and written when all are there.
struct RelationshipMoves {
    let mapping: MigrationMapping
    let connection: Connection
    private var noted: [(relationship: RelationshipLayout, table: String)] = []

    init(_ mapping: MigrationMapping, _ connection: Connection) {
        self.mapping = mapping
        self.connection = connection
    }

    // MARK: Before

    mutating func note() throws {
        for relationship in mapping.relationships where mapping.hasOtherForm(relationship) {
            guard let pairs = pairs(of: relationship) else { continue }
            if case .join = mapping.new.places[relationship.id],
                noted.contains(where: { $0.relationship.id == relationship.inverse })
            {
                continue
            }
            let table = "temp.coredata_pairs_\(noted.count)"
            try connection.execute(
                "CREATE TEMP TABLE coredata_pairs_\(noted.count) (owner INTEGER, member INTEGER, place, inverseplace)", .saving)
            try connection.execute("INSERT INTO \(table) \(pairs)", .saving)
            try connection.execute("CREATE INDEX \(table)_members ON coredata_pairs_\(noted.count) (member, owner)", .saving)
            noted.append((relationship, table))
        }
    }

    /// A query of owner, member, and the places of both, as the file has them.
    private func pairs(of relationship: RelationshipLayout) -> String? {
        guard let (source, isInverse) = mapping.joinSource(of: relationship), let place = mapping.old.places[source.id] else {
            return nil
        }
        func query(_ owner: String, _ member: String, _ order: String, _ inverseOrder: String, _ rest: String) -> String {
            isInverse
                ? "SELECT \(member), \(owner), \(inverseOrder), \(order) FROM \(rest)"
                : "SELECT \(owner), \(member), \(order), \(inverseOrder) FROM \(rest)"
        }
        let owners = Set(mapping.new.layout.family(of: isInverse ? relationship.destination : relationship.declaringEntity))
            .compactMap { mapping.sources[$0] }.map { mapping.old.numbers[$0] }.sorted().map(String.init)
            .joined(separator: ", ")
        switch place {
        case .toOne(let key):
            return query(
                "Z_PK", key.column.text, "NULL", key.orderColumn?.text ?? "NULL",
                "\(key.table) WHERE \(key.column) NOT NULL AND Z_ENT IN (\(owners))")
        case .members(let key, _):
            return query(
                key.column.text, "Z_PK", key.orderColumn?.text ?? "NULL", "NULL", "\(key.table) WHERE \(key.column) NOT NULL")
        case .join(let side):
            return query(
                side.owner.text, side.member.text, side.order?.text ?? "NULL", side.inverseOrder?.text ?? "NULL",
                "\(side.table)")
        }
    }

    // MARK: After

    func write() throws {
        for (relationship, table) in noted {
            switch mapping.new.places[relationship.id] {
            case .toOne(let key)?:
                // The pairs are those of the inverse, seen from this side: the owner has the key.
                try fill(key, relationship, "SELECT member AS target, owner AS keyed, inverseplace AS place FROM \(table)")
            case .members(let key, _)?:
                try fill(key, relationship, "SELECT owner AS target, member AS keyed, place FROM \(table)")
            case .join(let side)?: try fill(side, relationship, table)
            case nil: break
            }
            try connection.execute("DROP TABLE \(table)", .saving)
        }
    }

    /// - Parameter pairs: A query of the rows that get the key (`keyed`) and of the key (`target`).
    private func fill(_ key: ForeignKey, _ relationship: RelationshipLayout, _ pairs: String) throws {
        try requireOne(relationship, pairs)
        let column = key.column
        try connection.execute(
            "UPDATE \(key.table) SET \(column) = (SELECT target FROM (\(pairs)) WHERE keyed = \(key.table).Z_PK) "
                + "WHERE Z_PK IN (SELECT keyed FROM (\(pairs)))", .saving)
    }

    /// An object can have one such destination only.
    private func requireOne(_ relationship: RelationshipLayout, _ pairs: String) throws {
        var keys: [Int64] = []
        try connection.rows(
            "SELECT keyed FROM (\(pairs)) GROUP BY keyed HAVING COUNT(DISTINCT target) > 1 ORDER BY keyed LIMIT 5", .saving
        ) { keys.append($0.integer(0)) }
        guard !keys.isEmpty else { return }
        let entity = mapping.new.layout.entities[relationship.declaringEntity].name
        throw MigrationFailure.error(
            NSMigrationError,
            "“\(entity).\(relationship.name)” can't be filled: \(MigrationFailure.rows(keys)) would belong to several objects, and "
                + "can belong to one only",
            url: connection.url, userInfo: ["entity": entity, "property": relationship.name])
    }

    private func fill(_ side: JoinSide, _ relationship: RelationshipLayout, _ table: String) throws {
        var columns = [side.owner.text, side.member.text]
        var values = ["owner", "member"]
        if let order = side.order {
            columns.append(order.text)
            values.append(Self.place("owner", "place, member"))
        }
        if let order = side.inverseOrder {
            columns.append(order.text)
            values.append(Self.place("member", "inverseplace, owner"))
        }
        try connection.execute(
            "INSERT OR IGNORE INTO \(side.table) (\(columns.joined(separator: ", "))) "
                + "SELECT \(values.joined(separator: ", ")) FROM \(table)", .saving)
    }

    private static func place(_ owner: String, _ order: String) -> String {
        "ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(order)) * 1024 + 1024"
    }

    // MARK: Orders and entity numbers

    /// Fills columns that tables need beside foreign keys: the places of rows that were not ordered before, and the entity
    /// numbers of destinations.
    func completeKeys(_ changes: [TableChange]) throws {
        for change in changes where change.source != nil {
            for relationship in mapping.relationships {
                guard let key = foreignKey(relationship), key.table == change.table.name else { continue }
                let isKept = !change.isCopied && change.base[key.column] != nil
                if let order = key.orderColumn, !isKept || change.base[order] == nil { try completeOrder(order, key) }
                if let column = key.entityColumn { try completeNumbers(column, key, relationship, change) }
            }
        }
    }

    private func foreignKey(_ relationship: RelationshipLayout) -> ForeignKey? {
        switch mapping.new.places[relationship.id] {
        case .toOne(let key)?: key
        case .members(let key, isHidden: true)?: key
        default: nil
        }
    }

    /// Rows without a place go behind those that have one, in the order of their keys.
    private func completeOrder(_ order: SQLName, _ key: ForeignKey) throws {
        var isMissing = false
        let condition = "\(key.column) NOT NULL AND \(order) IS NULL"
        try connection.rows("SELECT 1 FROM \(key.table) WHERE \(condition) LIMIT 1", .saving) { _ in isMissing = true }
        if isMissing {
            try connection.execute("CREATE TEMP TABLE coredata_places (k INTEGER PRIMARY KEY, n INTEGER)", .saving)
            let last = "IFNULL((SELECT MAX(o.\(order)) FROM \(key.table) o WHERE o.\(key.column) = t.\(key.column)), 1024)"
            try connection.execute(
                "INSERT INTO temp.coredata_places SELECT Z_PK, \(last) + 1024 * ROW_NUMBER() OVER (PARTITION BY \(key.column) "
                    + "ORDER BY Z_PK) FROM \(key.table) t WHERE \(condition)", .saving)
            try connection.execute(
                "UPDATE \(key.table) SET \(order) = (SELECT n FROM temp.coredata_places WHERE k = \(key.table).Z_PK) "
                    + "WHERE Z_PK IN (SELECT k FROM temp.coredata_places)", .saving)
            try connection.execute("DROP TABLE temp.coredata_places", .saving)
        }
        try connection.execute(
            "UPDATE \(key.table) SET \(order) = NULL WHERE \(key.column) IS NULL AND \(order) NOT NULL", .saving)
    }

    private func completeNumbers(
        _ column: SQLName, _ key: ForeignKey, _ relationship: RelationshipLayout, _ change: TableChange
    ) throws {
        let family = mapping.new.layout.family(of: relationship.destination)
        let changesNumbers = family.contains { entity in
            mapping.sources[entity].map { mapping.old.numbers[$0] != mapping.new.numbers[entity] } ?? false
        }
        guard change.base[column] == nil || change.isCopied || changesNumbers else { return }
        let target = mapping.new.table(of: relationship.destination)
        try connection.execute(
            "UPDATE \(key.table) SET \(column) = CASE WHEN \(key.column) NOT NULL THEN IFNULL("
                + "(SELECT Z_ENT FROM \(target) t WHERE t.Z_PK = \(key.table).\(key.column)), "
                + "\(mapping.new.numbers[relationship.destination])) END", .saving)
    }

    // MARK: What leads nowhere

    /// Takes away what leads to objects that are gone, or that are in another family now.
    func removeDangling() throws {
        for relationship in mapping.relationships {
            switch mapping.new.places[relationship.id] {
            case .toOne(let key)? where mapping.mayDangle(relationship): try clear(key, relationship.destination)
            case .members(let key, isHidden: true)? where leaves(owners: relationship):
                try clear(key, relationship.declaringEntity)
            case .join(let side)?:
                if mapping.mayDangle(relationship) { try removePairs(side, side.member, relationship.destination) }
                if leaves(owners: relationship) { try removePairs(side, side.owner, relationship.declaringEntity) }
            default: break
            }
        }
    }

    private func leaves(owners relationship: RelationshipLayout) -> Bool {
        guard let source = mapping.source(of: relationship) else { return false }
        return mapping.old.layout.family(of: source.declaringEntity).contains(where: mapping.leaves)
    }

    private func isThere(_ key: String, _ entity: Int) -> String {
        let numbers = mapping.new.layout.family(of: entity).map { String(mapping.new.numbers[$0]) }.joined(separator: ", ")
        return "EXISTS (SELECT 1 FROM \(mapping.new.table(of: entity)) t WHERE t.Z_PK = \(key) AND t.Z_ENT IN (\(numbers)))"
    }

    private func clear(_ key: ForeignKey, _ entity: Int) throws {
        let columns = [key.column, key.entityColumn, key.orderColumn].compactMap { $0 }
        try connection.execute(
            "UPDATE \(key.table) SET \(columns.map { "\($0) = NULL" }.joined(separator: ", ")) "
                + "WHERE \(key.column) NOT NULL AND NOT \(isThere("\(key.table).\(key.column)", entity))", .saving)
    }

    private func removePairs(_ side: JoinSide, _ column: SQLName, _ entity: Int) throws {
        try connection.execute(
            "DELETE FROM \(side.table) WHERE NOT \(isThere("\(side.table).\(column)", entity))", .saving)
    }
}
