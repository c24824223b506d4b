import DataModel
package import Storage

extension InMemoryEngine {
    package func fetchMembers(
        of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer
    ) throws {
        let rows = state.rows[model.entities[relationship.destination].root] ?? [:]
        for owner in Set(owners).sorted() {
            let keys = members(of: relationship, owner: owner)
            guard !keys.isEmpty else { continue }
            consumer.beginMembers(of: owner)
            for key in keys {
                guard let (entity, row) = rows[key] else { continue }
                let rowKey = RowKey(entity: entity, key: key)
                if consumer.wantsValues(of: rowKey) { consumer.take(row, for: rowKey) }
            }
        }
    }

    /// The members of one owner of a one-to-many relationship in stored order; those without a place follow.
    func inOrder(_ owned: [Int64], of relationship: RelationshipLayout, owner: Int64) -> [Int64] {
        guard relationship.isOrdered, let order = state.members[relationship.id]?[owner] else { return owned }
        let (set, placed) = (Set(owned), Set(order))
        return order.filter(set.contains) + owned.filter { !placed.contains($0) }
    }
}
