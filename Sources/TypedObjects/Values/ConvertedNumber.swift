import Foundation
import Predicates

/// A number type to which any number can be converted. Fractions are cut off for integers, as by the accessors of `NSNumber`.
/// Unlike these, the conversion fails if the number does not fit in the type. Otherwise another number would be read, and perhaps
/// written back.
protocol ConvertedNumber {
    init?(converting number: NSNumber)
    /// The number for key-value coding.
    var number: NSNumber { get }
}

extension ConvertedNumber where Self: FixedWidthInteger {
    init?(converting number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            var whole = Decimal()
            var exact = decimal.decimalValue
            guard exact.isFinite else { return nil }
            NSDecimalRound(&whole, &exact, 0, exact < 0 ? .up : .down)
            self.init("\(whole)")
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self.init(exactly: number.doubleValue.rounded(.towardZero))
        case UInt8(ascii: "Q"): self.init(exactly: number.uint64Value)
        default: self.init(exactly: number.int64Value)
        }
    }

    var number: NSNumber { Int64(exactly: self).map(NSNumber.init) ?? NSNumber(value: UInt64(clamping: self)) }
}

extension Int: ConvertedNumber {}
extension Int8: ConvertedNumber {}
extension Int16: ConvertedNumber {}
extension Int32: ConvertedNumber {}
extension Int64: ConvertedNumber {}
extension UInt: ConvertedNumber {}
extension UInt8: ConvertedNumber {}
extension UInt16: ConvertedNumber {}
extension UInt32: ConvertedNumber {}
extension UInt64: ConvertedNumber {}

extension Bool: ConvertedNumber {
    init?(converting number: NSNumber) { self = number.doubleValue != 0 }
    var number: NSNumber { NSNumber(value: self) }
}

extension Double: ConvertedNumber {
    init?(converting number: NSNumber) { self = (number as? NSDecimalNumber)?.decimalValue.nearestDouble ?? number.doubleValue }
    var number: NSNumber { NSNumber(value: self) }
}

extension Float: ConvertedNumber {
    init?(converting number: NSNumber) {
        guard let double = Double(converting: number) else { return nil }
        let float = Float(double)
        guard float.isFinite || !double.isFinite else { return nil }
        self = float
    }
    var number: NSNumber { NSNumber(value: self) }
}

extension CGFloat: ConvertedNumber {
    init?(converting number: NSNumber) {
        guard let double = Double(converting: number) else { return nil }
        self.init(double)
    }
    var number: NSNumber { NSNumber(value: Double(self)) }
}

extension Decimal: ConvertedNumber {
    init?(converting number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = decimal.decimalValue
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        // `decimalValue` stops the program for an infinite number.
        case UInt8(ascii: "f"), UInt8(ascii: "d"):
            guard let decimal = Decimal(shortest: number.doubleValue) else { return nil }
            self = decimal
        case UInt8(ascii: "Q"): self.init(number.uint64Value)
        default: self.init(number.int64Value)
        }
    }
    var number: NSNumber { NSDecimalNumber(decimal: self) }
}
