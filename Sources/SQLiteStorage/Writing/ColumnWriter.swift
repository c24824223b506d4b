/// A slot's value as a parameter of a statement.
struct ColumnWriter {
    let encoding: ColumnEncoding
    let slot: Int
    let parameter: Int32
}
