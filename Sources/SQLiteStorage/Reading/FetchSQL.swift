import Storage

/// Writes the SQL of fetches.
struct FetchSQL {
    let mapping: StoreMapping
    let family: FamilyReader
    let shape: FetchShape

    var text: String {
        let columns = [.primaryKey, .entityNumber] + (shape.takesValues ? [.version] + family.columns : [])
        let select = shape.isCount ? "COUNT(*)" : columns.map { "t.\($0)" }.joined(separator: ", ")
        var conditions: [String] = []
        var source = "\(family.table) t"
        var order: String?
        switch shape.selection {
        case .all:
            if let condition = family.condition { conditions.append("t.\(condition)") }
            order = "t.Z_PK"
        case .keys(let count):
            conditions.append(
                count == 1 ? "t.Z_PK = ?" : "t.Z_PK IN (\(Array(repeating: "?", count: count).joined(separator: ", ")))")
            addFilter(&conditions)
        case .anyKeys:
            conditions.append("t.Z_PK IN (SELECT value FROM json_each(?))")
            addFilter(&conditions)
            order = "t.Z_PK"
        case .members(let id):
            switch mapping.places[id] {
            case .members(let key, _)?:
                conditions.append("t.\(key.column) = ?")
                order = (key.orderColumn.map { "t.\($0), " } ?? "") + "t.Z_PK"
            case .join(let side)? where side.isReflexive:
                conditions.append(
                    "t.Z_PK IN (SELECT \(side.member) FROM \(side.table) WHERE \(side.owner) = ?1 "
                        + "UNION SELECT \(side.owner) FROM \(side.table) WHERE \(side.member) = ?1)")
                order = "t.Z_PK"
            case .join(let side)?:
                // CROSS keeps SQLite from reading the join table for each row of the other one.
                source = "\(side.table) j CROSS JOIN \(family.table) t ON t.Z_PK = j.\(side.member)"
                conditions.append("j.\(side.owner) = ?")
                order = (side.order.map { "j.\($0), " } ?? "") + "j.\(side.member)"
            case .toOne?, nil:
                conditions.append("0")
            }
            addFilter(&conditions)
        case .matching(let entity, let slots):
            for (index, slot) in slots.enumerated() {
                conditions.append(mapping.entities[entity].column(slot: slot).map { "t.\($0.name) = ?\(index + 1)" } ?? "0")
            }
            addFilter(&conditions)
            order = "t.Z_PK"
        }
        var writer = QueryWriter(mapping: mapping, firstParameter: shape.parameterCount + 1)
        if let predicate = shape.predicate { conditions.append("(\(writer.condition(predicate)))") }
        let sorted = shape.isCount ? [] : sortKeys(&writer)
        var text = "SELECT \(select) FROM \(source)\(writer.joins(scope: 0))"
        if !conditions.isEmpty { text += " WHERE \(conditions.joined(separator: " AND "))" }
        guard !shape.isCount else { return text }
        if !sorted.isEmpty { order = sorted.joined(separator: ", ") }
        if let order { text += " ORDER BY \(order)" }
        if shape.isCut {
            let last = shape.parameterCount + shape.constantCount
            text += " LIMIT ?\(last + 1) OFFSET ?\(last + 2)"
        }
        return text
    }

    /// The plus sign keeps SQLite from taking the index on Z_ENT, which holds many rows for each number.
    private func addFilter(_ conditions: inout [String]) {
        if let condition = family.condition { conditions.append("+t.\(condition)") }
    }

    private func sortKeys(_ writer: inout QueryWriter) -> [String] {
        shape.sortKeys.map { key in
            let path = key.path ?? RowPath(scope: 0, entity: family.entity.index)
            let collation = key.textComparison == .codePoints ? "" : " COLLATE \(StoreFunctions.collation(key.textComparison))"
            return writer.attribute(path, key.slot) + collation + (key.isAscending ? "" : " DESC")
        }
    }
}
