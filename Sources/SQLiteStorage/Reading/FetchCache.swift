import DataModel
import Storage

/// Prepared fetches by shape. Confined to one caller at a time, as the engine is: hence the unchecked exclusivity.
final class FetchCache {
    private let connection: Connection
    private let mapping: StoreMapping
    private let externalData: ExternalData
    @exclusivity(unchecked) private var families: [Int: FamilyReader] = [:]
    @exclusivity(unchecked) private var statements: [FetchShape: FetchStatement] = [:]
    /// Fetches of a single row by key are the most frequent ones: by entity index, twice for with and without subentities.
    @exclusivity(unchecked) private var singles: [FetchStatement?]

    /// Fetches of members for several owners, by relationship id.
    @exclusivity(unchecked) private var members: [Int: FetchStatement] = [:]

    private static let greatestCount = 512

    init(_ connection: Connection, _ mapping: StoreMapping, externalData: ExternalData) {
        self.connection = connection
        self.mapping = mapping
        self.externalData = externalData
        singles = Array(repeating: nil, count: mapping.entities.count * 2)
    }

    /// A statement that is not being stepped through.
    func statement(_ shape: FetchShape) throws -> FetchStatement {
        if let known = statements[shape], !known.statement.isInUse { return known }
        let statement = try prepare(shape)
        if statements.count >= FetchCache.greatestCount { statements.removeAll() }
        statements[shape] = statement
        return statement
    }

    func single(_ entity: Int, includesSubentities: Bool) throws -> FetchStatement {
        let position = entity * 2 + (includesSubentities ? 1 : 0)
        if let known = singles[position], !known.statement.isInUse { return known }
        let shape = FetchShape(
            entity: entity, includesSubentities: includesSubentities, selection: .keys(1), sortKeys: [], isCut: false,
            isCount: false)
        let statement = try prepare(shape)
        singles[position] = statement
        return statement
    }

    /// A statement that finds the members of several owners, given by a JSON array of their keys. Behind the members' columns
    /// comes their owner.
    func members(of relationship: RelationshipLayout) throws -> FetchStatement? {
        if let known = members[relationship.id], !known.statement.isInUse { return known }
        let family = family(relationship.destination, includesSubentities: true)
        guard let sql = MembersSQL(mapping: mapping, family: family, relationship: relationship.id).text else { return nil }
        let statement = FetchStatement(try connection.prepare(sql, .reading), family)
        members[relationship.id] = statement
        return statement
    }

    func family(_ entity: Int, includesSubentities: Bool) -> FamilyReader {
        let position = entity * 2 + (includesSubentities ? 1 : 0)
        if let known = families[position] { return known }
        let family = FamilyReader(
            mapping.layout.entities[entity], includesSubentities: includesSubentities, mapping: mapping,
            externalData: externalData)
        families[position] = family
        return family
    }

    private func prepare(_ shape: FetchShape) throws -> FetchStatement {
        let family = family(shape.entity, includesSubentities: shape.includesSubentities)
        let sql = FetchSQL(mapping: mapping, family: family, shape: shape).text
        return FetchStatement(try connection.prepare(sql, .reading), family)
    }
}
