import CSQLite
import Foundation
import Predicates

/// How a column's value is turned into a slot's, and back.
enum ColumnEncoding: UInt8 {
    case integer
    /// 0 and 1. Any other value that another program wrote is true.
    case boolean
    case real
    /// A number that is not of single precision is taken as the nearest one that is.
    case float
    /// Seconds since the reference date.
    case date
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

/// A value in a column that no attribute can have. SQLite lets other programs put any value anywhere.
extension ColumnEncoding {
    /// The types of SQLite's that a value may have, a bit each.
    var acceptedTypes: UInt32 {
        switch self {
        case .integer, .boolean, .foreignKey: 1 << SQLITE_INTEGER
        // Columns for dates and decimals have numeric affinity, for which SQLite keeps whole numbers as integers.
        case .real, .float, .date, .decimal: 1 << SQLITE_INTEGER | 1 << SQLITE_FLOAT
        case .text: 1 << SQLITE_TEXT
        case .uuid, .blob, .externalBlob, .transformable: 1 << SQLITE_BLOB
        // Where there is none that can be read, the declared destination is taken.
        case .entityNumber: ~0
        }
    }

    /// Why the attribute can't have a value that is not NULL; nil if it can.
    func problem(_ value: OpaquePointer?) -> String? {
        let type = sqlite3_value_type(value)
        guard acceptedTypes >> UInt32(type) & 1 != 0 else { return "is not \(noun), but \(Self.name(type))" }
        switch self {
        case .date: return sqlite3_value_double(value).isFinite ? nil : "is an infinite date"
        case .decimal:
            let number = sqlite3_value_double(value)
            return Self.isDecimal(number) ? nil : "is not a decimal number, but \(number)"
        case .uuid:
            let count = sqlite3_value_bytes(value)
            return count == 16 ? nil : "is not a UUID (\(count) bytes instead of 16)"
        default: return nil
        }
    }

    private var noun: String {
        switch self {
        case .integer, .boolean, .foreignKey, .entityNumber: "a whole number"
        case .real, .float: "a number"
        case .date: "a date"
        case .decimal: "a decimal number"
        case .text: "text"
        case .uuid: "a UUID"
        case .blob, .externalBlob, .transformable: "data"
        }
    }

    @inline(__always) static func isNumber(_ type: Int32) -> Bool { type == SQLITE_FLOAT || type == SQLITE_INTEGER }

    /// Whether a decimal is this number.
    @inline(__always) static func isDecimal(_ number: Double) -> Bool {
        let size = number.magnitude
        return size > 1e-110 && size < 1e127 || size == 0 || isRareDecimal(number)
    }

    @inline(never) private static func isRareDecimal(_ number: Double) -> Bool {
        Decimal(shortest: number)?.nearestDouble == number
    }

    private static func name(_ type: Int32) -> String {
        switch type {
        case SQLITE_INTEGER: "an integer"
        case SQLITE_FLOAT: "a floating-point number"
        case SQLITE_TEXT: "text"
        case SQLITE_BLOB: "a blob"
        default: "NULL"
        }
    }
}
