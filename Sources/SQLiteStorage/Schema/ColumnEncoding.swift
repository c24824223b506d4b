/// How a column's value is turned into a slot's, and back.
enum ColumnEncoding: UInt8 {
    case integer
    /// Doubles, floats, and dates as seconds since the reference date.
    case real
    case decimal
    case text
    case uuid
    case blob
    /// A blob behind a marker byte, which tells whether the data is here or in a file.
    case externalBlob
    case transformable
    case foreignKey
    /// The number of the destination's concrete entity.
    case entityNumber
}
