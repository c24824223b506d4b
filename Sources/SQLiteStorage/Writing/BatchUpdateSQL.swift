import DataModel
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
    /// Finds rows whose computed value is one that the attribute can't have: their keys, then the computed values. Nil if there
    /// can't be any.
    let check: String?

    init(mapping: StoreMapping, entity: StoredEntity, mask: SlotMask, computed: [(slot: Int, value: RowExpression)]) {
        let columns = entity.columns.filter { mask.contains($0.slot) && !$0.isKeptByTriggers }
        writers = columns.enumerated().map { ColumnWriter(encoding: $1.encoding, slot: $1.slot, parameter: Int32($0 + 1)) }
        let keys = columns.count + 1
        keysParameter = Int32(keys)
        firstConstant = Int32(keys + 1)
        var assignments: [String] = []
        for (index, column) in columns.enumerated() {
            assignments.append("\(column.name) = ?\(index + 1)")
            // The position among the old owner's rows means nothing to a new owner.
            if let order = column.orderColumn {
                assignments.append("\(order) = CASE WHEN \(column.name) IS ?\(index + 1) THEN \(order) END")
            }
        }
        var writer = QueryWriter(mapping: mapping, firstParameter: keys + 1)
        var checks: [String?] = []
        var values: [String] = []
        var setsExternalData = columns.contains { $0.encoding == .externalBlob }
        for (slot, value) in computed {
            guard let column = entity.column(slot: slot), !column.isKeptByTriggers else { continue }
            setsExternalData = setsExternalData || column.encoding == .externalBlob
            // A row of its own, so that paths over relationships can be joined to it.
            var expression = writer.expression(value)
            checks.append(Self.check(entity.layout, slot, expression))
            values.append(expression)
            switch column.encoding {
            case .integer: expression = "CAST(\(expression) AS INTEGER)"
            case .boolean: expression = "(\(expression) <> 0)"
            case .float: expression = "\(StoreFunctions.float)(\(expression))"
            case .real, .date, .decimal: expression = "CAST(\(expression) AS REAL)"
            default: break
            }
            assignments.append(
                "\(column.name) = (SELECT \(expression) FROM \(entity.table) t\(writer.joins(scope: 0)) "
                    + "WHERE t.Z_PK = \(entity.table).Z_PK)")
        }
        self.setsExternalData = setsExternalData
        let wrong = checks.compactMap(\.self)
        check =
            wrong.isEmpty
            ? nil
            : "SELECT \((["t.Z_PK"] + values).joined(separator: ", ")) FROM \(entity.table) t\(writer.joins(scope: 0)) "
                + "WHERE t.Z_PK IN (SELECT value FROM json_each(?\(keys))) AND +t.Z_ENT = \(entity.number) "
                + "AND (\(wrong.joined(separator: " OR "))) LIMIT 1"
        let damage = "a version (Z_OPT) of “\(entity.layout.name)” is too large or is not a number"
        assignments.append(
            "Z_OPT = CASE WHEN Z_OPT < \(Int64.max) THEN Z_OPT + 1 WHEN Z_OPT IS NULL THEN 1 "
                + "ELSE \(StoreFunctions.damaged)('\(damage)') END")
        text =
            "UPDATE \(entity.table) SET \(assignments.joined(separator: ", ")) "
            + "WHERE Z_PK IN (SELECT value FROM json_each(?\(keys))) AND +Z_ENT = \(entity.number)"
    }

    /// The condition that the attribute can't have a computed value; nil if it can have every value.
    private static func check(_ layout: EntityLayout, _ slot: Int, _ value: String) -> String? {
        let type = layout.slots[slot].attributeType
        var conditions: [String] = []
        if layout.requiredSlots.contains(slot) { conditions.append("\(value) IS NULL") }
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            let range = ValueDomain.integers(type)
            // A fraction is cut off. At 64 bits the bounds themselves are not floating-point numbers.
            conditions.append("\(value) < \(range.lowerBound)")
            conditions.append("\(value) >= \(Double(range.upperBound) + 1)")
        case .floatAttributeType:
            let greatest = Double(Float.greatestFiniteMagnitude)
            conditions.append("(abs(\(value)) > \(greatest) AND abs(\(value)) < 9e999)")
        case .dateAttributeType: conditions.append("abs(\(value)) = 9e999")
        case .decimalAttributeType: conditions.append("abs(\(value)) > 3.4028236692093845e165")
        default: break
        }
        return conditions.isEmpty ? nil : conditions.joined(separator: " OR ")
    }
}
