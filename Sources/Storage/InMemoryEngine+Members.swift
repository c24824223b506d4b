import DataModel

extension InMemoryEngine {
    package func fetchMembers(
        of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer
    ) throws {
        let wanted = Set(owners)
        let members = members(of: relationship, owners: wanted)
        let rows = state.rows[model.entities[relationship.destination].root] ?? [:]
        for owner in wanted.sorted() {
            guard let keys = members[owner], !keys.isEmpty else { continue }
            consumer.beginMembers(of: owner)
            for key in keys {
                guard let (entity, row) = rows[key] else { continue }
                let rowKey = RowKey(entity: entity, key: key)
                if consumer.wantsValues(of: rowKey) { consumer.take(row, for: rowKey) }
            }
        }
    }

    /// All members at once: looking for one owner's goes through all rows.
    private func members(of relationship: RelationshipLayout, owners: Set<Int64>) -> [Int64: [Int64]] {
        guard relationship.storage == .oneToMany, let inverse = relationship.inverse else {
            return (state.members[relationship.id] ?? [:]).filter { owners.contains($0.key) }
        }
        var result: [Int64: [Int64]] = [:]
        for (key, value) in state.rows[model.entities[relationship.destination].root] ?? [:] {
            guard let slot = model.entities[value.entity].relationship(id: inverse)?.slot, !value.row.isNil(slot),
                owners.contains(value.row.integer(slot))
            else { continue }
            result[value.row.integer(slot), default: []].append(key)
        }
        return result.reduce(into: [:]) { sorted, entry in
            sorted[entry.key] = inOrder(entry.value.sorted(), of: relationship, owner: entry.key)
        }
    }

    /// The members of one owner of a one-to-many relationship in stored order; those without a place follow.
    func inOrder(_ owned: [Int64], of relationship: RelationshipLayout, owner: Int64) -> [Int64] {
        guard relationship.isOrdered, let order = state.members[relationship.id]?[owner] else { return owned }
        let (set, placed) = (Set(owned), Set(order))
        return order.filter(set.contains) + owned.filter { !placed.contains($0) }
    }
}
