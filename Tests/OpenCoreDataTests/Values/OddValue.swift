import OpenCoreData

/// A value that programs seldom have, as each way in gives it.
struct OddValue {
    let attribute: String
    /// For the table.
    let label: String
    /// What key-value coding, batch requests and defaults take; nil if the value can't be given by these.
    var object: Any?
    /// Sets the property; nil if its type has no such value.
    var property: ((Holder) -> Void)?
    var handmade: ((Handmade) -> Void)?
    /// The SQL of another program; nil if SQLite has no such value.
    var sql: String?

    /// A value that every way in can give.
    private static func plain<Value>(
        _ attribute: String, _ keyPath: ReferenceWritableKeyPath<Holder, Value?>,
        _ handmade: ReferenceWritableKeyPath<Handmade, Value?>, _ values: [(String, Value, Any, String?)]
    ) -> [OddValue] {
        values.map { label, value, object, sql in
            OddValue(
                attribute: attribute, label: label, object: object, property: { $0[keyPath: keyPath] = value },
                handmade: { $0[keyPath: handmade] = value }, sql: sql)
        }
    }

    /// A value that the property's type does not have.
    private static func other(_ attribute: String, _ label: String, _ object: Any?, _ sql: String?) -> OddValue {
        OddValue(attribute: attribute, label: label, object: object, sql: sql)
    }

    static var all: [OddValue] {
        integers + flags + doubles + floats + decimals + dates + texts + links + identifiers + blobs + shapes
    }

    private static var integers: [OddValue] {
        plain(
            "int16", \.int16, \.int16,
            [("greatest", .max, Int16.max, "32767"), ("least", .min, Int16.min, "-32768")])
            + [
                other("int16", "32768", 32768, "32768"), other("int16", "-32769", -32769, "-32769"),
                other("int16", "4.5", 4.5, "4.5"), other("int16", "4.0", 4.0, "4.0"), other("int16", "NaN", Double.nan, nil),
                other("int16", "infinity", Double.infinity, "9e999"), other("int16", "true", true, nil),
                other("int16", "text \"x\"", nil, "'x'"), other("int16", "bytes", nil, "x'00'"),
            ]
            + plain(
                "int32", \.int32, \.int32,
                [("greatest", .max, Int32.max, "2147483647"), ("least", .min, Int32.min, "-2147483648")])
            + [
                other("int32", "2147483648", 2_147_483_648, "2147483648"), other("int32", "-0.5", -0.5, "-0.5"),
                other("int32", "text \"x\"", nil, "'x'"),
            ]
            + plain(
                "int64", \.int64, \.int64,
                [
                    ("greatest", .max, Int64.max, "9223372036854775807"), ("least", .min, Int64.min, "-9223372036854775808"),
                    ("2⁵³ + 1", 9_007_199_254_740_993, Int64(9_007_199_254_740_993), "9007199254740993"),
                ])
            + [
                other("int64", "2⁶⁴ − 1", UInt64.max, nil), other("int64", "1e300", 1e300, "1e300"),
                other("int64", "4.5 as a decimal", NSDecimalNumber(string: "4.5"), nil), other("int64", "text \"5\"", nil, "'5'"),
            ]
    }

    private static var flags: [OddValue] {
        plain("flag", \.flag, \.flag, [("true", true, true, "1"), ("false", false, false, "0")])
            + [
                other("flag", "2", 2, "2"), other("flag", "-1", -1, "-1"), other("flag", "256", 256, "256"),
                other("flag", "0.5", 0.5, "0.5"), other("flag", "NaN", Double.nan, nil),
                other("flag", "text \"yes\"", nil, "'yes'"),
            ]
    }

    private static var doubles: [OddValue] {
        plain(
            "double", \.double, \.double,
            [
                ("NaN", .nan, Double.nan, nil), ("infinity", .infinity, Double.infinity, "9e999"),
                ("-infinity", -.infinity, -Double.infinity, "-9e999"), ("-0.0", -0.0, -0.0, "-0.0"),
                ("least subnormal", .leastNonzeroMagnitude, Double.leastNonzeroMagnitude, "4.9406564584124654e-324"),
                ("greatest", .greatestFiniteMagnitude, Double.greatestFiniteMagnitude, "1.7976931348623157e308"),
                ("0.1", 0.1, 0.1, "0.1"),
            ])
            + [
                other("double", "2⁵³ + 1, an integer", 9_007_199_254_740_993, "9007199254740993"),
                other("double", "0.1 as a decimal", NSDecimalNumber(string: "0.1"), nil),
                other("double", "NaN as a decimal", NSDecimalNumber.notANumber, nil),
                other("double", "text \"x\"", nil, "'x'"), other("double", "bytes", nil, "x'00'"),
            ]
    }

    private static var floats: [OddValue] {
        plain(
            "float", \.float, \.float,
            [
                ("NaN", .nan, Float.nan, nil), ("infinity", .infinity, Float.infinity, "9e999"),
                ("-0.0", -0.0, Float(-0.0), "-0.0"),
                ("least subnormal", .leastNonzeroMagnitude, Float.leastNonzeroMagnitude, "1.401298464324817e-45"),
                ("greatest", .greatestFiniteMagnitude, Float.greatestFiniteMagnitude, "3.4028234663852886e38"),
                ("0.1", 0.1, Float(0.1), nil),
            ])
            + [
                other("float", "0.1 of double precision", 0.1, "0.1"), other("float", "1e300", 1e300, "1e300"),
                other("float", "text \"x\"", nil, "'x'"),
            ]
    }

    private static var decimals: [OddValue] {
        plain(
            "decimal", \.decimal, \.decimal,
            [
                ("NaN", .nan, NSDecimalNumber.notANumber, nil), decimal("0.1", "0.1"), decimal("-10.11", "-10.11"),
                decimal("12345678901234567890123456789012345678", nil), decimal("3.3333333333333333333333333333333333333", nil),
                decimal("1e-128", "1e-128"), decimal("1e127", "1e127"),
                ("1e146", decimal(power: 146), NSDecimalNumber(decimal: decimal(power: 146)), "1e146"),
                ("1e165", decimal(power: 165), NSDecimalNumber(decimal: decimal(power: 165)), "1e165"),
                (
                    "greatest", .greatestFiniteMagnitude, NSDecimalNumber(decimal: .greatestFiniteMagnitude),
                    "3.4028236692093845e165"
                ),
            ])
            + [
                other("decimal", "0.1 of double precision", 0.1, nil),
                other("decimal", "NaN of double precision", Double.nan, nil),
                other("decimal", "infinity", Double.infinity, "9e999"), other("decimal", "-infinity", -Float.infinity, "-9e999"),
                other("decimal", "1e300", 1e300, "1e300"), other("decimal", "1e-300", 1e-300, "1e-300"),
                other("decimal", "text \"x\"", nil, "'x'"),
            ]
    }

    private static func decimal(_ text: String, _ sql: String?) -> (String, Decimal, Any, String?) {
        let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")) ?? .nan
        return (text, value, NSDecimalNumber(decimal: value), sql)
    }

    /// Foundation's reader of texts stops at 127.
    private static func decimal(power: Int) -> Decimal {
        Decimal(sign: .plus, exponent: 127, significand: 1) / Decimal(sign: .plus, exponent: 127 - power, significand: 1)
    }

    private static var dates: [OddValue] {
        plain(
            "date", \.date, \.date,
            [
                date("NaN", .nan, nil), date("infinity", .infinity, "9e999"), date("-infinity", -.infinity, "-9e999"),
                date("0.1 s", 0.1, "0.1"), date("whole seconds", 86400, "86400"),
                date("the distant past", Date.distantPast.timeIntervalSinceReferenceDate, "-63114076800"),
                date("the distant future", Date.distantFuture.timeIntervalSinceReferenceDate, "63113904000"),
                date("1e15 s", 1e15, "1e15"), date("-1e300 s", -1e300, "-1e300"),
            ])
            + [
                other("date", "text \"2024-01-01\"", nil, "'2024-01-01'"), other("date", "text \"5\"", nil, "'5'"),
                other("date", "bytes", nil, "x'00'"),
            ]
    }

    private static func date(_ label: String, _ seconds: Double, _ sql: String?) -> (String, Date, Any, String?) {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        return (label, date, date, sql)
    }

    private static var texts: [OddValue] {
        plain(
            "text", \.text, \.text,
            [
                text("empty", "", "''"), text("é, composed", "\u{e9}", "char(233)"),
                text("é, decomposed", "e\u{301}", "'e' || char(769)"), text("with U+0000", "a\u{0}b", nil),
                text("😀", "😀", "char(128512)"), text("100,000 letters", String(repeating: "abcde", count: 20_000), nil),
                text("\"5\"", "5", "5"),
            ])
            + [other("text", "bytes", nil, "x'6162'")]
    }

    private static func text(_ label: String, _ text: String, _ sql: String?) -> (String, String, Any, String?) {
        (label, text, text, sql)
    }

    private static var links: [OddValue] {
        plain(
            "link", \.link, \.link,
            [
                "https://example.com/a%20b?q=1#f", "wikipedia.org", "/a/b", "?q", "//host/x", "file:///tmp/100%25",
                "https://müller.example/ä",
            ].compactMap { text in
                URL(string: text).map { (text, $0, $0, "'\($0.absoluteString)'") }
            }
                + [
                    URL(string: "page", relativeTo: URL(string: "http://a.example/b/")).map {
                        ("page, relative to a base", $0, $0, nil)
                    }
                ].compactMap(\.self))
            + [
                other("link", "bytes", nil, "x'00'"), other("link", "empty text", nil, "''"),
                other("link", "http://[", nil, "'http://['"), other("link", "1:2", nil, "'1:2'"),
            ]
    }

    private static var identifiers: [OddValue] {
        plain(
            "uuid", \.uuid, \.uuid,
            ["00000000-0000-0000-0000-000000000000", "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"].compactMap { text in
                UUID(uuidString: text).map { (text, $0, $0, "x'\(text.replacingOccurrences(of: "-", with: ""))'") }
            })
            + [
                other("uuid", "its text", nil, "'00000000-0000-0000-0000-000000000000'"),
                other("uuid", "text of 16 bytes", nil, "'0123456789abcdef'"), other("uuid", "15 bytes", nil, "zeroblob(15)"),
            ]
    }

    private static var blobs: [OddValue] {
        plain(
            "bytes", \.bytes, \.bytes,
            [
                ("empty", Data(), Data(), "x''"), ("one zero", Data([0]), Data([0]), "x'00'"),
                ("1 MB", Data(repeating: 7, count: 1 << 20), Data(repeating: 7, count: 1 << 20), nil),
            ])
            + [other("bytes", "text \"x\"", nil, "'x'"), other("bytes", "5", nil, "5")]
    }

    private static var shapes: [OddValue] {
        [
            OddValue(attribute: "shape", label: "[\"a\"]", object: ["a"], property: { $0.shape = ["a"] }),
            other("shape", "text \"x\"", nil, "'x'"), other("shape", "5", nil, "5"),
        ]
    }
}
