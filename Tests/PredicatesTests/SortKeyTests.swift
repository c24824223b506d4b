import Foundation
import Testing

@testable import Predicates

@Suite("The order of values")
struct SortKeyTests {
    private func expectAscending(_ values: [Any?], sourceLocation: SourceLocation = #_sourceLocation) {
        for (i, left) in values.enumerated() {
            for (j, right) in values.enumerated() {
                expect(left, right, i < j ? .orderedAscending : i > j ? .orderedDescending : .orderedSame, sourceLocation)
            }
        }
    }

    private func expectSame(_ values: [Any?], sourceLocation: SourceLocation = #_sourceLocation) {
        for left in values {
            for right in values { expect(left, right, .orderedSame, sourceLocation) }
        }
    }

    private func expect(_ left: Any?, _ right: Any?, _ result: ComparisonResult, _ sourceLocation: SourceLocation) {
        let message = "\(String(describing: left)) against \(String(describing: right))"
        #expect(SortKey(left).compare(SortKey(right)) == result, "\(message)", sourceLocation: sourceLocation)
    }

    @Test("FET-61, FET-62: nothing sorts before every value, in whatever form it comes")
    func nothingFirst() {
        expectSame([nil, NSNull(), Int?.none as Any, String??.some(nil) as Any, Double.nan, Decimal.nan])
        for value: Any in [Int64.min, -Double.infinity, "", Data(), Date.distantPast, false] {
            expectAscending([nil, value])
        }
    }

    @Test("Integers of every width, unsigned ones included")
    func integers() {
        expectAscending([Int64.min, Int32(-7), Int8(0), 1, UInt16(500), Int64.max, UInt64(Int64.max) + 1, UInt64.max])
        expectSame([Int16(3), UInt8(3), 3, Int64(3), 3.0, Float(3), Decimal(3), NSNumber(value: 3), NSDecimalNumber(value: 3)])
    }

    @Test("FET-66: false before true, and both are numbers")
    func booleans() {
        expectAscending([false, true])
        expectSame([true, 1, NSNumber(value: true)])
        expectAscending([true, 2])
    }

    @Test("Integers and floating-point numbers compare exactly beyond 2^53")
    func mixedNumbers() {
        let large = Int64(1) << 53
        expectAscending([Double(large), large + 1, Double(large + 2)])
        expectAscending([-1.5, -1, -0.5, 0, 0.5, 1])
        expectAscending([-1e300, Int64.min, Int64.max, 9_223_372_036_854_775_808.0, UInt64.max, 1e300])
    }

    @Test("Decimals keep digits that a Double would lose")
    func decimals() throws {
        let small = try #require(Decimal(string: "1.00000000000000000001"))
        let large = try #require(Decimal(string: "1.00000000000000000002"))
        expectAscending([1, small, large, 1.5, NSDecimalNumber(decimal: 2), UInt64.max, 1e200])
        expectAscending([-1e200, Decimal(0)])
        expectAscending([Decimal(-2), -1e-300, Decimal(0), 1e-300, Decimal(3)])
    }

    @Test("NSNumber compares by the kind it was made with")
    func numberObjects() {
        expectAscending([NSNumber(value: 1), NSNumber(value: 1.25), 1.5, NSNumber(value: Float(1.75)), NSNumber(value: 2)])
        expectAscending([NSNumber(value: Int64.max), NSNumber(value: UInt64.max)])
    }

    @Test("FET-63: texts by code points: B before a, precomposed and decomposed apart, emoji after the private area")
    func texts() {
        expectAscending(["", "A", "Aa", "B", "a", "e\u{301}", "é", "\u{FFFD}", "😀"])
        expectSame(["abc", "abc" as NSString, Substring("abc")])
    }

    @Test("Texts stored as UTF-16 compare like the others")
    func bridgedTexts() {
        expectAscending([NSString(string: "straße"), "straßf", NSMutableString(string: "übel")])
    }

    @Test("FET-66: dates by time")
    func dates() {
        let start = Date(timeIntervalSinceReferenceDate: 0)
        expectAscending([Date.distantPast, start, NSDate(timeIntervalSinceReferenceDate: 1), Date.distantFuture])
    }

    @Test("FET-66: UUIDs and data by bytes, a prefix before the longer value")
    func bytes() throws {
        let low = try #require(UUID(uuidString: "0FFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"))
        let high = try #require(UUID(uuidString: "80000000-0000-0000-0000-000000000000"))
        expectAscending([low, high])
        expectAscending([Data(), Data([1]), Data([1, 0]), Data([0x80])])
        expectAscending([Data([0x0F]), low, high])
    }

    @Test("Raw values decide for enums, `<` for other comparable types")
    func otherTypes() {
        enum Genre: String { case drama, action }
        struct Version: Comparable {
            let major: Int
            static func < (a: Version, b: Version) -> Bool { a.major < b.major }
        }
        expectAscending([Genre.action, Genre.drama])
        expectAscending([Version(major: 1), Version(major: 2)])
        expectSame([Version(major: 1), Version(major: 1)])
        expectAscending([nil, 5, "text", Data([0]), Version(major: 0)])
    }

    @Test("Addresses sort as text")
    func urls() {
        expectAscending([URL(fileURLWithPath: "/a"), URL(fileURLWithPath: "/b")])
    }
}
