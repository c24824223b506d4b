import Predicates
import Storage

/// Writes the SQL that computes columns. Parameters: the constants, then limit and offset.
struct ColumnSQL {
    let text: String

    init(_ request: ColumnRequest, mapping: StoreMapping, family: FamilyReader) {
        var writer = QueryWriter(mapping: mapping, firstParameter: 1)
        var columns = request.columns.map { writer.column($0) }
        // All rows make one result, and so does no row, whatever is left of their functions.
        let isOneResult = request.isGrouped && request.groups.isEmpty
        if isOneResult { columns.append("COUNT(*)") }
        var conditions: [String] = []
        if let condition = family.condition { conditions.append("t.\(condition)") }
        if let predicate = request.rows.predicate { conditions.append("(\(writer.condition(predicate)))") }
        let groups = request.groups.map { writer.expression($0) }
        let having = request.condition.map { writer.condition($0) }
        // Older versions of SQLite have HAVING for groups only.
        if let having, isOneResult { columns.append("(\(having)) AS isWanted") }
        var order = request.order.map { key in
            let collation = key.textComparison == .codePoints ? "" : " COLLATE \(StoreFunctions.collation(key.textComparison))"
            return writer.expression(key.expression) + collation + (key.isAscending ? "" : " DESC")
        }
        // As in memory: rows in the order of their keys.
        if !request.isGrouped, !request.isDistinct { order.append("t.Z_PK") }
        var text = "SELECT \(request.isDistinct ? "DISTINCT " : "")\(columns.joined(separator: ", ")) "
        text += "FROM \(family.table) t\(writer.joins(scope: 0))"
        if !conditions.isEmpty { text += " WHERE \(conditions.joined(separator: " AND "))" }
        if !groups.isEmpty { text += " GROUP BY \(groups.joined(separator: ", "))" }
        if let having, !isOneResult { text += " HAVING \(having)" }
        if !order.isEmpty { text += " ORDER BY \(order.joined(separator: ", "))" }
        if having != nil, isOneResult { text = "SELECT * FROM (\(text)) WHERE isWanted" }
        if request.limit != 0 || request.offset != 0 {
            let last = request.rows.constants.count
            text += " LIMIT ?\(last + 1) OFFSET ?\(last + 2)"
        }
        self.text = text
    }
}
