import CSQLite
import DataModel
import Storage

/// Writes what a save changes in to-many relationships: pairs in join tables, hidden foreign keys, orders.
struct MembershipWriter {
    private let store: OpenStore

    init(_ store: OpenStore) { self.store = store }

    func apply(_ change: MembershipChange) throws {
        switch store.mapping.places[change.relationship.id] {
        case .join(let side)?: try apply(change, side)
        case .members(let key, let isHidden)?:
            if isHidden { try applyHidden(change, key) }
            if let order = key.orderColumn, change.order != nil || isHidden {
                try setOrder(
                    change, table: key.table, owner: key.column, member: .primaryKey, order: order)
            }
        case .toOne?, nil: break
        }
    }

    private func statement(
        _ change: MembershipChange, _ kind: WriteCache.MembershipStatement, _ sql: @autoclosure () -> String
    ) throws -> Statement {
        try store.writes.membership(change.relationship.id, kind, sql: sql)
    }

    /// Runs a statement whose parameters are owner and member.
    private func run(_ statement: Statement, _ owner: Int64, _ members: [Int64]) throws {
        for member in members {
            statement.bind(owner, at: 1)
            statement.bind(member, at: 2)
            try statement.run(.saving)
        }
    }

    // MARK: Join tables

    private func apply(_ change: MembershipChange, _ side: JoinSide) throws {
        let (table, owner, member) = (side.table, side.owner, side.member)
        if !change.removed.isEmpty {
            let remove = try statement(change, .remove, "DELETE FROM \(table) WHERE \(owner) = ?1 AND \(member) = ?2")
            try run(remove, change.owner, change.removed)
            if side.isReflexive {
                let reverse = try statement(change, .removeReverse, "DELETE FROM \(table) WHERE \(owner) = ?2 AND \(member) = ?1")
                try run(reverse, change.owner, change.removed)
            }
        }
        if !change.added.isEmpty {
            let add = try statement(change, .add, "INSERT OR IGNORE INTO \(table) (\(owner), \(member)) VALUES (?1, ?2)")
            try run(add, change.owner, change.added)
            if side.isReflexive {
                let reverse = try statement(
                    change, .addReverse, "INSERT OR IGNORE INTO \(table) (\(owner), \(member)) VALUES (?2, ?1)")
                try run(reverse, change.owner, change.added)
            }
            if let inverse = side.inverseOrder {
                let append = try statement(
                    change, .appendToInverse,
                    "UPDATE \(table) SET \(inverse) = (SELECT \(OrderKeys.next(inverse)) FROM \(table) b WHERE b.\(member) = ?2) "
                        + "WHERE \(owner) = ?1 AND \(member) = ?2 AND \(inverse) IS NULL")
                try run(append, change.owner, change.added)
            }
        }
        if let order = side.order { try setOrder(change, table: table, owner: owner, member: member, order: order) }
    }

    // MARK: Foreign keys in the members' rows

    private func applyHidden(_ change: MembershipChange, _ key: ForeignKey) throws {
        if !change.removed.isEmpty {
            let order = key.orderColumn.map { ", \($0) = NULL" } ?? ""
            let remove = try statement(
                change, .remove, "UPDATE \(key.table) SET \(key.column) = NULL\(order) WHERE \(key.column) = ?1 AND Z_PK = ?2")
            try run(remove, change.owner, change.removed)
        }
        if !change.added.isEmpty {
            let order = key.orderColumn.map { ", \($0) = CASE WHEN \(key.column) IS ?1 THEN \($0) END" } ?? ""
            let add = try statement(change, .add, "UPDATE \(key.table) SET \(key.column) = ?1\(order) WHERE Z_PK = ?2")
            try run(add, change.owner, change.added)
        }
    }

    // MARK: Order

    /// Gives the owner's members their places. Members that the change does not name follow in the order that they had.
    private func setOrder(_ change: MembershipChange, table: SQLName, owner: SQLName, member: SQLName, order: SQLName) throws {
        let read = try statement(
            change, .readOrder,
            "SELECT \(member), \(order) FROM \(table) WHERE \(owner) = ? ORDER BY \(order) IS NULL, \(order), \(member)")
        read.bind(change.owner, at: 1)
        var stored: [(member: Int64, key: Int64?)] = []
        do {
            defer { read.reset() }
            while try read.step(.saving) { stored.append((read.integer(0), read.isNull(1) ? nil : read.integer(1))) }
        }
        let keys = Dictionary(stored.map { ($0.member, $0.key) }, uniquingKeysWith: { first, _ in first })
        var members: [Int64] = []
        var seen: Set<Int64> = []
        for member in change.order ?? [] where keys[member] != nil && seen.insert(member).inserted { members.append(member) }
        for (member, _) in stored where seen.insert(member).inserted { members.append(member) }
        let current = members.map { keys[$0] ?? nil }
        let write = try statement(change, .writeOrder, "UPDATE \(table) SET \(order) = ?1 WHERE \(owner) = ?2 AND \(member) = ?3")
        for (index, new) in OrderKeys.assign(current).enumerated() where new != current[index] {
            write.bind(new, at: 1)
            write.bind(change.owner, at: 2)
            write.bind(members[index], at: 3)
            try write.run(.saving)
        }
    }
}
