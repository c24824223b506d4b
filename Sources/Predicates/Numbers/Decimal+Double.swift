package import Foundation

/// Between decimals and the floating-point numbers as which stores keep them.
extension Decimal {
    private static let posix = Locale(identifier: "en_US_POSIX")
    /// The greatest power of ten that a decimal keeps beside its digits.
    private static let greatestExponent = 127

    /// The decimal with the fewest digits that stands for a number: 10.11 for 10.11, from which `Decimal(_: Double)` makes
    /// 10.109999999999999488.
    ///
    /// Nil for a number that a decimal can't be: infinity, NaN, and what is beyond 38 digits and 127 further zeros or below 128
    /// decimal places.
    package init?(shortest number: Double) {
        guard number.isFinite else { return nil }
        let text = number.description
        if let plain = Decimal(string: text, locale: Self.posix) {
            self = plain
        } else if let large = Self.large(text) {
            self = large
        } else {
            return nil
        }
    }

    /// Reads digits with more zeros behind them than Foundation's reader lets pass.
    private static func large(_ text: String) -> Decimal? {
        let parts = text.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return nil }
        let places = parts[0].split(separator: ".")
        let fraction = places.count > 1 && places[1] != "0" ? places[1] : ""
        let power = exponent - fraction.count
        guard power > greatestExponent, power <= greatestExponent + 38,
            let digits = Decimal(string: String(places[0] + fraction), locale: posix)
        else { return nil }
        // A product would drop zeros from the digits, and have no room for them in the exponent. A quotient keeps them.
        let result =
            digits * Decimal(sign: .plus, exponent: greatestExponent, significand: 1)
            / Decimal(sign: .plus, exponent: greatestExponent - power, significand: 1)
        return result.isNaN ? nil : result
    }

    /// The nearest floating-point number: `NSDecimalNumber.doubleValue` is off by some units in the last place.
    package var nearestDouble: Double { Double(description) ?? .nan }

    /// The decimal as a store gives it back, which keeps it as a floating-point number of some 16 digits.
    package var asStored: Decimal {
        // So many digits survive as they are.
        if significand.magnitude < 1_000_000_000_000_000 { return self }
        return Decimal(shortest: nearestDouble) ?? .nan
    }
}
