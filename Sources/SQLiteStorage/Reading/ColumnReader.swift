/// Where in a statement's result a slot's value is, and how to decode it.
struct ColumnReader {
    let encoding: ColumnEncoding
    /// The types of SQLite's that a value may have, a bit each.
    let acceptedTypes: UInt32
    let column: Int32
    let slot: Int
    /// For an entity number: the result column of the foreign key, and the index of the declared destination.
    var keyColumn: Int32 = 0
    var destination: Int64 = 0

    init(encoding: ColumnEncoding, slot: Int, column: Int32) {
        self.encoding = encoding
        self.slot = slot
        self.column = column
        acceptedTypes = encoding.acceptedTypes
    }
}
