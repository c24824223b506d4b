import Predicates
import Storage

/// Writes the SQL of fetches.
struct FetchSQL {
    let mapping: StoreMapping
    let family: FamilyReader
    let shape: FetchShape

    var text: String {
        var writer = QueryWriter(mapping: mapping, firstParameter: shape.parameterCount + 1)
        var selection = selection()
        if let predicate = shape.predicate { selection.conditions.append("(\(writer.condition(predicate)))") }
        let sorted = shape.isCount ? [] : sortKeys(&writer)
        let rows = "SELECT \(columns) FROM \(selection.source)\(writer.joins(scope: 0))\(selection.filter)"
        return shape.isCount ? rows : rows + order(sorted.isEmpty ? selection.order : sorted.joined(separator: ", ")) + window
    }

    private var columns: String {
        guard !shape.isCount else { return "COUNT(*)" }
        let columns = [.primaryKey, .entityNumber] + (shape.takesValues ? [.version] + family.columns : [])
        return columns.map { "t.\($0)" }.joined(separator: ", ")
    }

    private func order(_ keys: String?) -> String { keys.map { " ORDER BY \($0)" } ?? "" }

    private var window: String {
        let last = shape.parameterCount + shape.constantCount
        return shape.isCut ? " LIMIT ?\(last + 1) OFFSET ?\(last + 2)" : ""
    }

    /// Where the rows are, which of them are wanted, and their order where the request gives none.
    private struct Selection {
        var source: String
        var conditions: [String] = []
        var order: String?

        var filter: String { conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))" }
    }

    private func selection() -> Selection {
        var result = Selection(source: "\(family.table) t", order: "t.Z_PK")
        switch shape.selection {
        case .all:
            if let condition = family.condition { result.conditions.append("t.\(condition)") }
            return result
        case .keys(let count):
            result.conditions.append(
                count == 1 ? "t.Z_PK = ?" : "t.Z_PK IN (\(Array(repeating: "?", count: count).joined(separator: ", ")))")
            result.order = nil
        case .anyKeys: result.conditions.append("t.Z_PK IN (SELECT value FROM json_each(?))")
        case .members(let id): select(membersOf: id, &result)
        case .matching(let entity, let slots):
            for (index, slot) in slots.enumerated() {
                let column = mapping.entities[entity].column(slot: slot)
                result.conditions.append(column.map { "t.\($0.name) = ?\(index + 1)" } ?? "0")
            }
        }
        addFilter(&result.conditions)
        return result
    }

    private func select(membersOf relationship: Int, _ result: inout Selection) {
        switch mapping.places[relationship] {
        case .members(let key, _)?:
            result.conditions.append("t.\(key.column) = ?")
            result.order = (key.orderColumn.map { "t.\($0), " } ?? "") + "t.Z_PK"
        case .join(let side)? where side.isReflexive:
            result.conditions.append(
                "t.Z_PK IN (SELECT \(side.member) FROM \(side.table) WHERE \(side.owner) = ?1 "
                    + "UNION SELECT \(side.owner) FROM \(side.table) WHERE \(side.member) = ?1)")
        case .join(let side)?:
            // CROSS keeps SQLite from reading the join table for each row of the other one.
            result.source = "\(side.table) j CROSS JOIN \(family.table) t ON t.Z_PK = j.\(side.member)"
            result.conditions.append("j.\(side.owner) = ?")
            result.order = (side.order.map { "j.\($0), " } ?? "") + "j.\(side.member)"
        case .toOne?, nil:
            result.conditions.append("0")
            result.order = nil
        }
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
