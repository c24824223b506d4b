/// The column of one slot.
struct StoredColumn {
    let name: SQLName
    let sqlType: String
    let encoding: ColumnEncoding
    let slot: Int
    /// For a foreign key: the column that orders its rows among those of one owner.
    var orderColumn: SQLName?
    /// For an entity number: the index of the relationship's declared destination, taken where the file has no number.
    var destination = 0
    /// Whether triggers of the store keep the value, so that it is read and never written.
    var isKeptByTriggers = false
}
