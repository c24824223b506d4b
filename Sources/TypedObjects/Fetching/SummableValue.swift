public import Foundation

/// A number that can be added up and averaged over objects: the integers, `Float`, `Double`, `Decimal`, and the optional of each.
/// Nil values are left out.
public protocol SummableValue {
    /// The type of a sum. It is `Int64` for integers.
    associatedtype Sum: AdditiveArithmetic
    /// The type of an average. It is `Decimal` for decimals, and otherwise `Double`.
    associatedtype Average

    /// The number to add. It is nil if the value is nil.
    var _summand: Sum? { get }
    /// The sum of two numbers, or nil if it does not fit in the type.
    static func _add(_ one: Sum, _ other: Sum) -> Sum?
    /// The average. It is computed with a sum that can't overflow. It is nil if there are no values.
    static func _average(of values: [Sum]) -> Average?
}

extension SummableValue where Sum == Int64, Self: BinaryInteger {
    /// The number.
    public var _summand: Int64? { Int64(self) }
    /// The sum, or nil if it does not fit in the type.
    public static func _add(_ one: Int64, _ other: Int64) -> Int64? {
        let (sum, overflow) = one.addingReportingOverflow(other)
        return overflow ? nil : sum
    }
    /// The average, or nil if there are no values.
    public static func _average(of values: [Int64]) -> Double? {
        guard !values.isEmpty else { return nil }
        if let sum = values.reduce(.some(0), { sum, value in sum.flatMap { _add($0, value) } }) {
            return Double(sum) / Double(values.count)
        }
        return values.reduce(0) { $0 + Double($1) } / Double(values.count)
    }
}

extension Int: SummableValue {}
extension Int8: SummableValue {}
extension Int16: SummableValue {}
extension Int32: SummableValue {}
extension Int64: SummableValue {}
extension UInt8: SummableValue {}
extension UInt16: SummableValue {}
extension UInt32: SummableValue {}

extension Double: SummableValue {
    /// The number.
    public var _summand: Double? { self }
    /// The sum.
    public static func _add(_ one: Double, _ other: Double) -> Double? { one + other }
    /// The average, or nil if there are no values.
    public static func _average(of values: [Double]) -> Double? {
        values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
    }
}

extension Float: SummableValue {
    /// The number.
    public var _summand: Double? { Double(self) }
    /// The sum.
    public static func _add(_ one: Double, _ other: Double) -> Double? { one + other }
    /// The average, or nil if there are no values.
    public static func _average(of values: [Double]) -> Double? { Double._average(of: values) }
}

extension Decimal: SummableValue {
    /// The number.
    public var _summand: Decimal? { self }
    /// The sum.
    public static func _add(_ one: Decimal, _ other: Decimal) -> Decimal? { one + other }
    /// The average, or nil if there are no values.
    public static func _average(of values: [Decimal]) -> Decimal? {
        values.isEmpty ? nil : values.reduce(0, +) / Decimal(values.count)
    }
}

extension Optional: SummableValue where Wrapped: SummableValue {
    /// The number, or nil if the value is nil.
    public var _summand: Wrapped.Sum? { self?._summand }
    /// The sum, or nil if it does not fit in the type.
    public static func _add(_ one: Wrapped.Sum, _ other: Wrapped.Sum) -> Wrapped.Sum? { Wrapped._add(one, other) }
    /// The average, or nil if there are no values.
    public static func _average(of values: [Wrapped.Sum]) -> Wrapped.Average? { Wrapped._average(of: values) }
}
