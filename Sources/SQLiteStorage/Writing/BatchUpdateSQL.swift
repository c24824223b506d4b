import Storage

/// Writes the SQL of a batch update of one concrete entity.
///
/// Parameters: the masked columns' values, then the JSON array of the rows' keys, then the constants of computed values.
struct BatchUpdateSQL {
    let text: String
    let writers: [ColumnWriter]
    let keysParameter: Int32
    let firstConstant: Int32
    let setsExternalData: Bool

    init(mapping: StoreMapping, entity: StoredEntity, mask: SlotMask, computed: [(slot: Int, value: RowExpression)]) {
        let columns = entity.columns.filter { mask.contains($0.slot) && !$0.isKeptByTriggers }
        writers = columns.enumerated().map { ColumnWriter(encoding: $1.encoding, slot: $1.slot, parameter: Int32($0 + 1)) }
        let keys = columns.count + 1
        keysParameter = Int32(keys)
        firstConstant = Int32(keys + 1)
        var assignments: [String] = []
        for (index, column) in columns.enumerated() {
            assignments.append("\(column.name) = ?\(index + 1)")
            // The place among the old owner's rows means nothing to a new owner.
            if let order = column.orderColumn {
                assignments.append("\(order) = CASE WHEN \(column.name) IS ?\(index + 1) THEN \(order) END")
            }
        }
        var writer = QueryWriter(mapping: mapping, firstParameter: keys + 1)
        var setsExternalData = columns.contains { $0.encoding == .externalBlob }
        for (slot, value) in computed {
            guard let column = entity.column(slot: slot), !column.isKeptByTriggers else { continue }
            setsExternalData = setsExternalData || column.encoding == .externalBlob
            // A row of its own, so that paths over relationships can be joined to it.
            var expression = writer.expression(value)
            switch column.encoding {
            case .integer: expression = "CAST(\(expression) AS INTEGER)"
            case .real, .decimal: expression = "CAST(\(expression) AS REAL)"
            default: break
            }
            assignments.append(
                "\(column.name) = (SELECT \(expression) FROM \(entity.table) t\(writer.joins(scope: 0)) "
                    + "WHERE t.Z_PK = \(entity.table).Z_PK)")
        }
        self.setsExternalData = setsExternalData
        let damage = "a version (Z_OPT) of “\(entity.layout.name)” is too large or is not a number"
        assignments.append(
            "Z_OPT = CASE WHEN Z_OPT < \(Int64.max) THEN Z_OPT + 1 WHEN Z_OPT IS NULL THEN 1 "
                + "ELSE \(StoreFunctions.damaged)('\(damage)') END")
        text =
            "UPDATE \(entity.table) SET \(assignments.joined(separator: ", ")) "
            + "WHERE Z_PK IN (SELECT value FROM json_each(?\(keys))) AND +Z_ENT = \(entity.number)"
    }
}
