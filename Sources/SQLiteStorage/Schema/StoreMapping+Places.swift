import DataModel
import Storage

extension StoreMapping {
    mutating func setPlaces(declared: [RelationshipLayout?], toOne: [Int: ForeignKey], hidden: [Int: ForeignKey]) {
        for case let relationship? in declared {
            switch relationship.storage {
            case .toOne:
                places[relationship.id] = toOne[relationship.id].map { .toOne($0) }
            case .oneToMany:
                guard var key = relationship.inverse.flatMap({ toOne[$0] }) else { continue }
                if !relationship.isOrdered { key.orderColumn = nil }
                places[relationship.id] = .members(key, isHidden: false)
            case .hiddenForeignKey:
                places[relationship.id] = hidden[relationship.id].map { .members($0, isHidden: true) }
            case .manyToMany, .transient:
                break
            }
        }
        setJoinPlaces()
    }

    /// Also called when the names of a file's join tables have taken the place of the computed ones.
    mutating func setJoinPlaces() {
        for join in joins {
            let isReflexive = join.relationship == join.inverse
            places[join.inverse] = .join(
                JoinSide(
                    table: join.table, owner: join.second, member: join.first, order: join.firstOrder,
                    inverseOrder: join.secondOrder,
                    isReflexive: isReflexive))
            places[join.relationship] = .join(
                JoinSide(
                    table: join.table, owner: join.first, member: join.second, order: join.secondOrder,
                    inverseOrder: join.firstOrder,
                    isReflexive: isReflexive))
        }
    }
}
