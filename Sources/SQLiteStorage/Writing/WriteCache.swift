import CSQLite
import DataModel
import Storage

/// Prepared statements for saving. Confined to one caller at a time, as the engine is: hence the unchecked exclusivity.
final class WriteCache {
    /// A statement about a relationship's members, besides its id.
    enum MembershipStatement: Hashable {
        case add, addReverse, remove, removeReverse, readOrder, writeOrder, appendToInverse
    }

    struct MembershipKey: Hashable {
        let relationship: Int
        let statement: MembershipStatement
    }

    let buffer = BindBuffer()
    private let connection: Connection
    private let mapping: StoreMapping
    @exclusivity(unchecked) private var writers: [EntityWriter?]
    @exclusivity(unchecked) private var memberships: [MembershipKey: Statement] = [:]
    @exclusivity(unchecked) private var others: [String: Statement] = [:]

    init(_ connection: Connection, _ mapping: StoreMapping) {
        self.connection = connection
        self.mapping = mapping
        writers = Array(repeating: nil, count: mapping.entities.count)
    }

    func writer(_ entity: Int) -> EntityWriter {
        if let known = writers[entity] { return known }
        let writer = EntityWriter(connection, mapping, entity: entity, buffer: buffer)
        writers[entity] = writer
        return writer
    }

    func membership(_ relationship: Int, _ statement: MembershipStatement, sql: () -> String) throws -> Statement {
        let key = MembershipKey(relationship: relationship, statement: statement)
        if let known = memberships[key] { return known }
        let statement = try connection.prepare(sql(), .saving)
        memberships[key] = statement
        return statement
    }

    /// A statement that a save needs once, by its text.
    func statement(_ sql: String) throws -> Statement {
        if let known = others[sql] { return known }
        let statement = try connection.prepare(sql, .saving)
        others[sql] = statement
        return statement
    }
}
