import DataModel

/// What kind of value an expression has, as far as it is known before any row is read.
enum RowType: Hashable {
    /// Always nil.
    case null
    /// Whole numbers and booleans.
    case integer
    /// Floating-point numbers.
    case real
    /// Whole or floating-point numbers, as the row decides.
    case number
    case decimal
    /// Decimals or other numbers.
    case mixed
    case date
    case text
    case url
    case uuid
    case data
    /// Rows of a family, by the index of its root entity.
    case key(root: Int)
    case entity
    /// Values that only memory can compare: transformed ones, and data that may be in a file.
    case opaque

    init(_ attribute: NSAttributeDescription?) {
        self =
            switch attribute?.attributeType {
            case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .booleanAttributeType: .integer
            case .doubleAttributeType, .floatAttributeType: .real
            case .decimalAttributeType: .decimal
            case .dateAttributeType: .date
            case .stringAttributeType: .text
            case .URIAttributeType: .url
            case .UUIDAttributeType: .uuid
            case .binaryDataAttributeType: attribute?.allowsExternalBinaryDataStorage == true ? .opaque : .data
            default: .opaque
            }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .real, .number, .decimal, .mixed: true
        default: false
        }
    }

    /// Whether values of both can be equal.
    func isComparable(with other: RowType) -> Bool {
        switch (self, other) {
        case (.null, _), (_, .null), (.opaque, _), (_, .opaque): true
        case (.key, .key): true
        default: self == other || isNumber && other.isNumber
        }
    }

    var isOrdered: Bool {
        switch self {
        case .key, .entity: false
        default: true
        }
    }

    /// For messages.
    var name: String {
        switch self {
        case .null: "nil"
        case .integer, .real, .number, .decimal, .mixed: "a number"
        case .date: "a date"
        case .text: "a text"
        case .url: "a URL"
        case .uuid: "a UUID"
        case .data: "data"
        case .key: "an object"
        case .entity: "an entity"
        case .opaque: "a transformed value"
        }
    }

    /// The type of either of two values; nil if it is not known.
    static func either(_ a: RowType, _ b: RowType) -> RowType? {
        if a == b || b == .null { return a }
        if a == .null { return b }
        switch (a, b) {
        case (.integer, .real), (.real, .integer), (.number, .integer), (.number, .real), (.integer, .number), (.real, .number):
            return .number
        case (.decimal, .integer), (.integer, .decimal): return .decimal
        default: return a.isNumber && b.isNumber ? .mixed : nil
        }
    }
}
