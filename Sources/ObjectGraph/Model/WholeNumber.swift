import Foundation
import Predicates

/// A number of any type as a whole number.
struct WholeNumber {
    /// The number. If it is not whole or has more than 64 bits, this is the nearest whole number towards zero that
    /// fits.
    let nearest: Int64
    /// The number as it was given, if it differs from `nearest`.
    var given: NSNumber?
    var isNaN = false
    /// Whether the number as given is zero.
    var isZero: Bool { given == nil && nearest == 0 }

    /// Nil for what is not a number.
    init?(_ value: Any) {
        switch value {
        case let value as Int: self.init(nearest: Int64(value))
        case let value as Bool: self.init(nearest: value ? 1 : 0)
        case let value as NSDecimalNumber: self.init(value)
        case let value as NSNumber:
            switch UInt8(bitPattern: value.objCType.pointee) {
            case UInt8(ascii: "f"), UInt8(ascii: "d"): self.init(value.doubleValue, value)
            case UInt8(ascii: "Q"): self.init(value.uint64Value)
            default: self.init(nearest: value.int64Value)
            }
        case let value as any BinaryInteger: self.init(value)
        default: return nil
        }
    }

    private init(nearest: Int64, given: NSNumber? = nil) {
        self.nearest = nearest
        self.given = given
    }

    private init(_ number: some BinaryInteger) {
        self.init(
            nearest: Int64(clamping: number),
            given: Int64(exactly: number) == nil ? NSDecimalNumber(string: "\(number)") : nil)
    }

    private init(_ number: Double, _ given: NSNumber) {
        if let whole = Int64(exactly: number) {
            self.init(nearest: whole)
        } else {
            let whole = number.isNaN ? 0 : Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
            self.init(nearest: whole, given: given)
            isNaN = number.isNaN
        }
    }

    private init(_ number: NSDecimalNumber) {
        if let whole = Int64(number.decimalValue.description) {
            self.init(nearest: whole)
        } else {
            self.init(number.decimalValue.nearestDouble, number)
            // The nearest double of a fraction may be whole.
            given = number
        }
    }
}
