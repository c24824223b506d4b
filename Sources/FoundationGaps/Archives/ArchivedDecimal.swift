import Foundation

/// A decimal number as archives have it.
struct ArchivedDecimal {
    /// 16-bit words, the lowest first.
    let mantissa: Data
    /// How many words count.
    let length: Int
    let exponent: Int
    let isNegative: Bool
    /// Whether the bytes of each word stand in the order of big-endian machines.
    let isBigEndian: Bool

    /// The number; nil if the parts are out of range.
    var value: Decimal? {
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
