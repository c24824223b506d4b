/// Writes the SQL that finds the members of several owners at once.
struct MembersSQL {
    let mapping: StoreMapping
    let family: FamilyReader
    let relationship: Int

    /// The parameter is a JSON array of the owners' keys. Nil for a relationship that is not stored as to-many.
    var text: String? {
        let columns = ([.primaryKey, .entityNumber, .version] + family.columns).map { "t.\($0)" }
        let owners = "(SELECT value FROM json_each(?1))"
        let owner: String
        let source: String
        var conditions: [String] = []
        var order: [String] = []
        switch mapping.places[relationship] {
        case .members(let key, _)?:
            owner = "t.\(key.column)"
            source = "\(family.table) t"
            conditions.append("\(owner) IN \(owners)")
            if let column = key.orderColumn { order.append("t.\(column)") }
            order.append("t.Z_PK")
        case .join(let side)? where side.isReflexive:
            owner = "j.o"
            source =
                "(SELECT \(side.owner) o, \(side.member) m FROM \(side.table) WHERE \(side.owner) IN \(owners) "
                + "UNION SELECT \(side.member), \(side.owner) FROM \(side.table) WHERE \(side.member) IN \(owners)) j "
                + "CROSS JOIN \(family.table) t ON t.Z_PK = j.m"
            order.append("j.m")
        case .join(let side)?:
            owner = "j.\(side.owner)"
            source = "\(side.table) j CROSS JOIN \(family.table) t ON t.Z_PK = j.\(side.member)"
            conditions.append("\(owner) IN \(owners)")
            if let column = side.order { order.append("j.\(column)") }
            order.append("j.\(side.member)")
        case .toOne?, nil:
            return nil
        }
        // The plus sign keeps SQLite from taking the index on Z_ENT.
        if let condition = family.condition { conditions.append("+t.\(condition)") }
        let filter = conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
        return
            "SELECT \(columns.joined(separator: ", ")), \(owner) FROM \(source)\(filter) "
            + "ORDER BY \(([owner] + order).joined(separator: ", "))"
    }
}
