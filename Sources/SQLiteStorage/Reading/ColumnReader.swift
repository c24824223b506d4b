/// Where in a statement's result a slot's value is, and how to decode it.
struct ColumnReader {
    let encoding: ColumnEncoding
    let slot: Int
    let column: Int32
    /// For an entity number: the result column of the foreign key, and the index of the declared destination.
    var keyColumn: Int32 = 0
    var destination: Int64 = 0
}
