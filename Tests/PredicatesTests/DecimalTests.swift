import Foundation
import Predicates
import TestSupport
import Testing

@Suite("Decimals and the floating-point numbers of stores")
struct DecimalTests {
    @Test("R94: every number in a decimal's range has a decimal that gives it back, and no other number has one")
    func range() throws {
        for number in [
            0, 0.1, -10.11, 1e-128, 1e127, 1e128, 1e145, 1e146, -1.5e150, 1e165, 3.4028236692093845e165, 9_007_199_254_740_992,
            1.2345678901234567e149, -9.999999999999999e164,
        ] {
            let decimal = try #require(Decimal(shortest: number), "\(number)")
            #expect(decimal.nearestDouble == number && decimal == Decimal(shortest: number), "\(number)")
            #expect(decimal.asStored == decimal, "\(number)")
        }
        for number in [Double.nan, .infinity, -.infinity, 3.41e165, -1e166, 1e300, 1e-129, .leastNonzeroMagnitude] {
            #expect(Decimal(shortest: number) == nil, "\(number)")
        }
    }

    @Test("R94: random numbers of every magnitude")
    func random() {
        var random = SeededGenerator(seed: 94)
        for _ in 0..<20_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite, number.magnitude < 3.4e165, number.magnitude > 1e-110 else { continue }
            #expect(Decimal(shortest: number)?.nearestDouble == number, "\(number)")
        }
    }

    @Test("a decimal is rounded once to what a store gives back, and short ones not at all")
    func rounding() throws {
        for (text, stored) in [
            ("3.3333333333333333333333333333333333333", "3.3333333333333335"), ("-999999999999999", "-999999999999999"),
            ("1234567890123456789", "1234567890123456800"), ("0.1", "0.1"), ("100000000000000000000", "100000000000000000000"),
        ] {
            let decimal = try #require(Decimal(string: text))
            #expect("\(decimal.asStored)" == stored && decimal.asStored.asStored == decimal.asStored)
        }
        #expect(Decimal.nan.asStored.isNaN && Decimal.greatestFiniteMagnitude.asStored.nearestDouble == 3.4028236692093845e165)
    }
}
