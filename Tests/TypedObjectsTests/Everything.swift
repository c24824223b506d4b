import Foundation
import OpenCoreData

enum Text: String { case a, b }
enum Number: Int64 {
    case one = 1
    case big = 5_000_000_000
}

struct Weight: RawRepresentable, Equatable {
    var rawValue: Double
}

/// Every type of property, required.
@Entity final class Required: NSManagedObject {
    var bool: Bool
    var int16: Int16
    var int32: Int32
    var int64: Int64
    var int: Int
    var float: Float
    var double: Double
    var decimal: Decimal
    var string: String
    var date: Date
    var data: Data
    var uuid: UUID
    var url: URL
    var nsDecimal: NSDecimalNumber
    var nsString: NSString
    var nsDate: NSDate
    var nsData: NSData
    var nsUUID: NSUUID
    var nsURL: NSURL
    var text: Text
    var number: Number
    var weight: Weight
}

/// Every type of property, optional.
@Entity final class Nullable: NSManagedObject {
    var bool: Bool?
    var int16: Int16?
    var int32: Int32?
    var int64: Int64?
    var int: Int?
    var float: Float?
    var double: Double?
    var decimal: Decimal?
    var string: String?
    var date: Date?
    var data: Data?
    var uuid: UUID?
    var url: URL?
    var nsDecimal: NSDecimalNumber?
    var nsString: NSString?
    var nsDate: NSDate?
    var nsData: NSData?
    var nsUUID: NSUUID?
    var nsURL: NSURL?
    var text: Text?
    var number: Number?
    var weight: Weight?
}

/// What initial values can be.
@Entity final class Defaults: NSManagedObject {
    var flag: Bool = true
    var count: Int = -3
    var ratio: Double = 0.5
    var price: Decimal = 20
    var name: String = "none"
    var text: Text = .b
    var start: Date = Date(timeIntervalSince1970: 0)
    var optional: Int? = 7
    var optionalText: Text? = .a
    var created: Date = .now
    var token: UUID = UUID()
}

let everyEntity: [any TypedObject.Type] = [Required.self, Nullable.self, Defaults.self]
