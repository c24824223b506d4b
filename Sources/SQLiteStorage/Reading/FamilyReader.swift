import DataModel
import Storage

/// What the fetches of one entity, with or without its subentities, have in common: the columns to select and how to decode them.
final class FamilyReader {
    let entity: EntityLayout
    let table: SQLName
    /// Behind Z_PK, Z_ENT and Z_OPT.
    let columns: [SQLName]
    /// The condition on Z_ENT; nil if every row of the table belongs to the family.
    let condition: String?
    /// The reader of a lone entity.
    let single: RowReader?
    /// By entity number.
    private let readers: [RowReader?]

    init(_ entity: EntityLayout, includesSubentities: Bool, mapping: StoreMapping, externalData: ExternalData) {
        self.entity = entity
        table = mapping.table(of: entity.index)
        let family = includesSubentities ? mapping.layout.family(of: entity.index) : [entity.index]
        let wholeTable = mapping.layout.family(of: entity.root)
        if family.count == wholeTable.count {
            condition = nil
        } else {
            let numbers = family.map { String(mapping.numbers[$0]) }
            condition = numbers.count == 1 ? "Z_ENT = \(numbers[0])" : "Z_ENT IN (\(numbers.joined(separator: ", ")))"
        }
        var columns: [SQLName] = []
        var positions: [SQLName: Int32] = [:]
        func position(_ name: SQLName) -> Int32 {
            if let known = positions[name] { return known }
            let new = Int32(columns.count + 3)
            columns.append(name)
            positions[name] = new
            return new
        }
        var readers = [RowReader?](repeating: nil, count: mapping.indices.count)
        for index in family {
            let stored = mapping.entities[index]
            let plan = stored.columns.map { column in
                var reader = ColumnReader(encoding: column.encoding, slot: column.slot, column: position(column.name))
                if column.encoding == .entityNumber, let key = stored.layout.relationship(slot: column.slot)?.slot,
                    let keyColumn = stored.column(slot: key)
                {
                    reader.keyColumn = position(keyColumn.name)
                    reader.destination = Int64(column.destination)
                }
                return reader
            }
            readers[stored.number] = RowReader(stored.layout, columns: plan, indices: mapping.indices, externalData: externalData)
        }
        self.columns = columns
        self.readers = readers
        single = family.count == 1 ? readers[mapping.numbers[family[0]]] : nil
    }

    /// Nil for a number that the family does not have.
    @inline(__always) func reader(number: Int) -> RowReader? {
        number >= 0 && number < readers.count ? readers[number] : nil
    }
}
