package import Foundation

/// A decimal number as archives have it.
package struct ArchivedDecimal {
    /// 16-bit words, the lowest first.
    package let mantissa: Data
    /// How many words count.
    package let length: Int
    package let exponent: Int
    package let isNegative: Bool
    /// Whether the bytes of each word stand in the order of big-endian machines.
    let isBigEndian: Bool

    /// The number; nil if the parts are out of range.
    package var value: Decimal? {
        guard mantissa.count <= 16, mantissa.count.isMultiple(of: 2), (0...mantissa.count / 2).contains(length),
            (-128...127).contains(exponent)
        else { return nil }
        if length == 0 { return isNegative ? .nan : .zero }
        let bytes = Array(mantissa)
        let words = stride(from: 0, to: length * 2, by: 2).map { place -> UInt16 in
            let (first, second) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        var number = Decimal(0)
        for word in words.reversed() { number = number * 65536 + Decimal(Int(word)) }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: number)
    }
}

extension ArchivedDecimal {
    package init(_ decimal: Decimal) {
        var words = [UInt16](repeating: 0, count: 8)
        if !decimal.isNaN {
            // At most 38 digits, which fit into 128 bits.
            for digit in decimal.significand.magnitude.description.utf8 {
                var carry = UInt32(digit) &- UInt32(UInt8(ascii: "0"))
                for place in words.indices {
                    carry += UInt32(words[place]) * 10
                    words[place] = UInt16(truncatingIfNeeded: carry)
                    carry >>= 16
                }
            }
        }
        mantissa = words.reduce(into: Data()) { $0 += [UInt8(truncatingIfNeeded: $1), UInt8(truncatingIfNeeded: $1 >> 8)] }
        length = words.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        exponent = decimal.isNaN ? 0 : decimal.exponent
        isNegative = decimal.isNaN || decimal < 0
        isBigEndian = false
    }
}
