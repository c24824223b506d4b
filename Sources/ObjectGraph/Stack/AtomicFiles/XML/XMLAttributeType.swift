import DataModel

/// The names of attribute types in XML stores.
enum XMLAttributeType {
    static func name(_ type: NSAttributeType) -> String {
        switch type {
        case .integer16AttributeType: "int16"
        case .integer32AttributeType: "int32"
        case .integer64AttributeType: "int64"
        case .decimalAttributeType: "decimal"
        case .doubleAttributeType: "double"
        case .floatAttributeType: "float"
        case .stringAttributeType: "string"
        case .booleanAttributeType: "bool"
        case .dateAttributeType: "date"
        case .UUIDAttributeType: "uuid"
        case .URIAttributeType: "uri"
        case .binaryDataAttributeType, .transformableAttributeType: "binary"
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: "undefined"
        }
    }

    /// Whether a value of a type in a file may be one of an attribute. Names that are not known here may mean anything.
    static func fits(_ name: String?, _ type: NSAttributeType) -> Bool {
        let wholeNumbers: Set = ["int16", "int32", "int64"]
        let numbers = wholeNumbers.union(["decimal", "double", "float"])
        guard let name, numbers.union(["string", "bool", "date", "uuid", "uri", "binary"]).contains(name) else { return true }
        let wanted = Self.name(type)
        if name == wanted { return true }
        return wholeNumbers.contains(name) && numbers.contains(wanted)
            || numbers.contains(name) && numbers.contains(wanted)
                && !wholeNumbers.contains(wanted)
    }
}
