import DataModel
import Storage

/// The tables and columns of a file, and those that it is to have, with what leads from the ones to the others.
struct MigrationMapping {
    let match: ModelMatch
    /// With the names and entity numbers of the file.
    let old: StoreMapping
    /// With the numbers of a new store.
    let new: StoreMapping
    /// The index of the older entity for each newer one that has any.
    let sources: [Int?]
    /// The index of the newer entity for each older one that has any.
    let destinations: [Int?]

    /// - Throws: `MappingBuilder.Problem`
    init(_ match: ModelMatch, old: StoreMapping, new layout: ModelLayout) throws {
        self.match = match
        self.old = old
        var builder = MappingBuilder(layout, numbers: StoreMapping.freshNumbers(layout))
        new = try builder.build()
        try DerivedValues.check(new)
        try new.requireColumnLimit()
        sources = layout.entities.map { entity in
            match.entities[entity.name]?.source.flatMap { old.layout.indexByName[$0.name ?? ""] }
        }
        var destinations = [Int?](repeating: nil, count: old.layout.entities.count)
        for (index, source) in sources.enumerated() {
            if let source { destinations[source] = index }
        }
        self.destinations = destinations
    }

    // MARK: Entities

    /// The older numbers of all newer entities of a family, as far as there are any.
    func oldNumbers(ofFamily root: Int) -> [Int] {
        new.layout.family(of: root).compactMap { sources[$0] }.map { old.numbers[$0] }
    }

    /// Whether the file gives objects of some entity another number than it is to have.
    var changesNumbers: Bool {
        sources.enumerated().contains { index, source in source.map { old.numbers[$0] != new.numbers[index] } ?? false }
    }

    /// Whether objects of an older entity are deleted, or go to the table of another family.
    func leaves(_ source: Int) -> Bool {
        guard let destination = destinations[source] else { return true }
        let roots = Set(
            old.layout.family(of: old.layout.entities[source].root).compactMap { destinations[$0] }
                .map { new.layout.entities[$0].root })
        return roots.count > 1 && new.layout.entities[destination].root != claimant(of: old.layout.entities[source].root)
    }

    /// The root of the newer family whose table the table of an older family becomes: that of its root, else that of its first
    /// entity that there still is.
    func claimant(of oldRoot: Int) -> Int? {
        old.layout.family(of: oldRoot).lazy.compactMap { destinations[$0] }.first.map { new.layout.entities[$0].root }
    }

    // MARK: Relationships

    /// The older relationship from which objects of a newer entity have their destinations.
    func source(of relationship: RelationshipLayout, in entity: Int) -> RelationshipLayout? {
        guard let source = sources[entity],
            let name = match.entities[new.layout.entities[entity].name]?.properties[relationship.name]?.name
        else { return nil }
        return old.layout.entities[source].relationship(named: name)
    }

    /// The same for the entity that declares a relationship, or, where it is new there, its first subentity that has one.
    func source(of relationship: RelationshipLayout) -> RelationshipLayout? {
        new.layout.family(of: relationship.declaringEntity).lazy.compactMap { source(of: relationship, in: $0) }.first
    }

    func inverse(of relationship: RelationshipLayout) -> RelationshipLayout? {
        guard let id = relationship.inverse else { return nil }
        return new.layout.entities[relationship.destination].relationship(id: id)
    }

    /// The newer relationships, each as the entity that declares it has it.
    var relationships: [RelationshipLayout] {
        new.layout.entities.flatMap { entity in
            entity.storedRelationships.filter { $0.declaringEntity == entity.index }
        }
    }

    /// Whether objects that an older relationship leads to may be none that the newer one can lead to.
    func mayDangle(_ relationship: RelationshipLayout) -> Bool {
        let target = Set(new.layout.family(of: relationship.destination))
        let source = source(of: relationship) ?? inverse(of: relationship).flatMap { self.source(of: $0) }
        guard let source else { return false }
        let isInverse = self.source(of: relationship) == nil
        let before = isInverse ? source.declaringEntity : source.destination
        return old.layout.family(of: before).contains { entity in
            leaves(entity) || destinations[entity].map { !target.contains($0) } ?? true
        }
    }

    // MARK: Columns

    /// Where the value of a newer column comes from, for rows of one entity.
    enum Origin: Hashable {
        case column(SQLName, from: ColumnEncoding, to: ColumnEncoding)
        /// The default value of the attribute in a slot.
        case defaultValue(slot: Int)
        /// Nothing, or something that comes when all tables are there.
        case none
    }

    /// The origin of each column of a newer entity's rows.
    func origins(of entity: Int) -> [SQLName: Origin] {
        var result: [SQLName: Origin] = [:]
        let layout = new.layout.entities[entity]
        for column in new.entities[entity].columns {
            let slot = layout.slots[column.slot]
            if let relationship = layout.relationship(slot: column.slot) {
                let key = oldKey(of: relationship, in: entity)
                let found = column.encoding == .entityNumber ? key?.entityColumn : key?.column
                result[column.name] = found.map { .column($0, from: column.encoding, to: column.encoding) } ?? Origin.none
                if let order = column.orderColumn {
                    result[order] =
                        key?.orderColumn.map { .column($0, from: .integer, to: .integer) } ?? Origin.none
                }
            } else {
                result[column.name] = attributeOrigin(slot.name, column, entity)
            }
        }
        for relationship in relationships where relationship.storage == .hiddenForeignKey {
            guard case .members(let key, isHidden: true)? = new.places[relationship.id],
                new.layout.family(of: relationship.destination).contains(entity)
            else { continue }
            let oldKey = oldMembersKey(of: relationship)
            result[key.column] = oldKey.map { .column($0.column, from: .foreignKey, to: .foreignKey) } ?? Origin.none
            guard let order = key.orderColumn else { continue }
            result[order] = oldKey?.orderColumn.map { .column($0, from: .integer, to: .integer) } ?? Origin.none
        }
        return result
    }

    private func attributeOrigin(_ path: String, _ column: StoredColumn, _ entity: Int) -> Origin {
        guard let source = sources[entity],
            let oldPath = match.entities[new.layout.entities[entity].name]?.sourcePath(of: path),
            let slot = old.layout.entities[source].slotByName[oldPath],
            let found = old.entities[source].column(slot: slot)
        else { return .defaultValue(slot: column.slot) }
        return .column(found.name, from: found.encoding, to: column.encoding)
    }

    /// The older foreign key in the rows of an entity that becomes that of a to-one relationship.
    private func oldKey(of relationship: RelationshipLayout, in entity: Int) -> ForeignKey? {
        if let source = source(of: relationship, in: entity) {
            if case .toOne(let key)? = old.places[source.id] { return key }
            return nil
        }
        // A to-many relationship that has an inverse now.
        guard let inverse = inverse(of: relationship) else { return nil }
        return oldMembersKey(of: inverse).flatMap { key in
            sources[entity].map { old.table(of: $0) } == key.table ? key : nil
        }
    }

    /// The older foreign key by which the members of a to-many relationship are found.
    private func oldMembersKey(of relationship: RelationshipLayout) -> ForeignKey? {
        guard let source = source(of: relationship), case .members(let key, _)? = old.places[source.id] else { return nil }
        return key
    }

    /// The pairs of a relationship that can't stay where they are, because they are kept in another way now.
    func hasOtherForm(_ relationship: RelationshipLayout) -> Bool {
        switch new.places[relationship.id] {
        case .toOne?:
            guard source(of: relationship) == nil, let inverse = inverse(of: relationship),
                let other = source(of: inverse), case .toOne? = old.places[other.id]
            else { return false }
            return true
        case .members(_, isHidden: true)?:
            guard let source = source(of: relationship), let place = old.places[source.id] else { return false }
            if case .members = place { return false }
            return true
        case .join(let side)?:
            guard let (source, _) = joinSource(of: relationship) else { return false }
            return oldJoin(of: relationship, side, source) == nil
        case .members(_, isHidden: false)?, nil: return false
        }
    }

    /// The older relationship that a many-to-many relationship has its pairs from, and whether it is that of the inverse.
    func joinSource(of relationship: RelationshipLayout) -> (source: RelationshipLayout, isInverse: Bool)? {
        if let source = source(of: relationship) { return (source, false) }
        guard let inverse = inverse(of: relationship), let source = source(of: inverse) else { return nil }
        return (source, true)
    }

    /// The older join table that becomes that of a relationship, if it has the same columns for orders, and if no other
    /// relationship has its pairs from there.
    func oldJoin(of relationship: RelationshipLayout, _ side: JoinSide, _ source: RelationshipLayout) -> JoinSide? {
        guard case .join(let found)? = old.places[source.id], found.isReflexive == side.isReflexive,
            let (_, isInverse) = joinSource(of: relationship)
        else { return nil }
        let before =
            isInverse
            ? JoinSide(
                table: found.table, owner: found.member, member: found.owner, order: found.inverseOrder,
                inverseOrder: found.order, isReflexive: found.isReflexive) : found
        guard (before.order == nil) == (side.order == nil), (before.inverseOrder == nil) == (side.inverseOrder == nil) else {
            return nil
        }
        let users = relationships.filter { other in
            guard case .join = new.places[other.id], other.id != relationship.id, other.id != relationship.inverse else {
                return false
            }
            return joinSource(of: other).map { $0.source.id == source.id || $0.source.id == source.inverse } ?? false
        }
        return users.isEmpty ? before : nil
    }
}
