import DataModel

/// The column that an attribute of some type gets: its SQL type and its position among the columns of the table.
struct ColumnType {
    let sql: String
    let group: Int
    let encoding: ColumnEncoding

    /// The group of to-one relationships, after the integers; and of order columns and hidden foreign keys.
    static let relationshipGroup = 1
    static let orderGroup = 2

    /// Nil for types that have no column of their own.
    init?(_ attribute: NSAttributeDescription) {
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType: self.init("INTEGER", 1, .integer)
        case .booleanAttributeType: self.init("INTEGER", 1, .boolean)
        case .doubleAttributeType: self.init("FLOAT", 3, .real)
        case .floatAttributeType: self.init("FLOAT", 3, .float)
        case .dateAttributeType: self.init("TIMESTAMP", 3, .date)
        case .decimalAttributeType: self.init("DECIMAL", 4, .decimal)
        case .stringAttributeType: self.init("VARCHAR", 5, .text)
        case .URIAttributeType: self.init("VARCHAR", 6, .text)
        case .UUIDAttributeType: self.init("BLOB", 7, .uuid)
        case .transformableAttributeType: self.init("BLOB", 8, .transformable)
        case .binaryDataAttributeType: self.init("BLOB", 9, attribute.allowsExternalBinaryDataStorage ? .externalBlob : .blob)
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
        }
    }

    private init(_ sql: String, _ group: Int, _ encoding: ColumnEncoding) {
        self.sql = sql
        self.group = group
        self.encoding = encoding
    }
}
