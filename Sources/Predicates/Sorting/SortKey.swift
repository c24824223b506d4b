package import Foundation

/// A value of another module's type that has a place in the order.
package protocol SortKeyProviding {
    var sortKey: SortKey { get }
}

/// A value made ready for comparing, with a total order over all attribute values.
///
/// The order is the one SQLite gives the same values in a store: nothing first, then numbers, texts and bytes. So sorting in
/// memory and sorting in the store agree.
package enum SortKey {
    /// No value. NaN counts as none: a store has no other place for it.
    case null
    case integer(Int64)
    /// An integer above `Int64.max`.
    case bigInteger(UInt64)
    case double(Double)
    case decimal(Decimal)
    /// Compared by Unicode code points, unlike Swift's `<`, which compares normalized characters.
    case text(String)
    case bytes(Data)
    case uuid(UUID)
    /// A value of a type without a known place: ordered among its own kind if it is `Comparable`, else equal to any other such
    /// value.
    case other(Any)

    /// Reads any value, however many optionals it is wrapped in.
    package init(_ value: Any?) {
        guard let value = Optional<Any>.flattening(value) else {
            self = .null
            return
        }
        self =
            Self.number(value) ?? Self.textOrBytes(value) ?? Self.rawValue(value) ?? (value as? any SortKeyProviding)?.sortKey
            ?? .other(value)
    }

    private static func number(_ value: Any) -> SortKey? {
        switch value {
        // Swift's own types come before `NSNumber`, to which a cast would bridge them.
        case let value as any BinaryInteger: whole(value)
        case let value as any BinaryFloatingPoint: floating(Double(value))
        case is Bool where type(of: value) == Bool.self: .integer(value as? Bool == true ? 1 : 0)
        case let value as Decimal: value.isNaN ? .null : .decimal(value)
        case let value as Date: floating(value.timeIntervalSinceReferenceDate)
        case let value as NSNumber: number(value)
        default: nil
        }
    }

    private static func whole(_ value: some BinaryInteger) -> SortKey? {
        if let small = Int64(exactly: value) { return .integer(small) }
        return UInt64(exactly: value).map(SortKey.bigInteger)
    }

    private static func floating(_ value: Double) -> SortKey {
        value.isNaN ? .null : .double(value)
    }

    private static func number(_ value: NSNumber) -> SortKey {
        // The Objective-C type code tells how the number was made; asking for an integer would round a fraction away.
        switch UInt8(bitPattern: value.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): return floating(value.doubleValue)
        case UInt8(ascii: "Q"): return whole(value.uint64Value) ?? .null
        default: return .integer(value.int64Value)
        }
    }

    private static func textOrBytes(_ value: Any) -> SortKey? {
        switch value {
        case let value as String: .text(value)
        case let value as UUID: .uuid(value)
        case let value as Data: .bytes(value)
        case let value as URL: .text(value.absoluteString)
        case let value as Substring: .text(String(value))
        default: nil
        }
    }

    private static func rawValue(_ value: Any) -> SortKey? {
        guard let value = value as? any RawRepresentable else { return nil }
        return SortKey(value.rawValue)
    }

    /// The place of a kind in the order of all values.
    private var rank: Int {
        switch self {
        case .null: 0
        case .integer, .bigInteger, .double, .decimal: 1
        case .text: 2
        case .bytes, .uuid: 3
        case .other: 4
        }
    }

    /// Compares two keys in ascending order.
    package func compare(_ other: SortKey) -> ComparisonResult {
        switch (self, other) {
        case (.integer(let a), .integer(let b)): Self.order(a, b)
        case (.double(let a), .double(let b)): Self.order(a, b)
        case (.text(let a), .text(let b)): Self.compareText(a, b)
        case (.uuid(let a), .uuid(let b)): Self.compareBytes(a, b)
        case (.bytes(let a), .bytes(let b)): Self.compareBytes(a, b)
        case (.bytes(let a), .uuid(let b)): Self.compareBytes(a, b)
        case (.uuid(let a), .bytes(let b)): Self.compareBytes(a, b)
        case (.other(let a), .other(let b)): Self.compareOthers(a, b)
        default: rank == other.rank ? compareNumbers(other) : Self.order(rank, other.rank)
        }
    }

    /// Compares two keys in ascending order, texts in a way of their own.
    package func compare(_ other: SortKey, _ comparison: TextComparison) -> ComparisonResult {
        if comparison != .codePoints, case .text(let a) = self, case .text(let b) = other { return comparison.compare(a, b) }
        return compare(other)
    }

    private static func order<T: Comparable>(_ a: T, _ b: T) -> ComparisonResult {
        a < b ? .orderedAscending : b < a ? .orderedDescending : .orderedSame
    }
}

// MARK: - Numbers of two kinds

extension SortKey {
    private func compareNumbers(_ other: SortKey) -> ComparisonResult {
        switch (self, other) {
        case (.integer(let a), .double(let b)): Self.compare(a, b)
        case (.double, .integer): other.compareNumbers(self).reversed
        case (.decimal, _), (_, .decimal): Self.compareDecimals(self, other)
        case (.bigInteger(let a), .bigInteger(let b)): Self.order(a, b)
        case (.bigInteger(let a), .double(let b)): Self.compare(a, b)
        case (.double, .bigInteger): other.compareNumbers(self).reversed
        case (.bigInteger, .integer): .orderedDescending
        case (.integer, .bigInteger): .orderedAscending
        default: .orderedSame
        }
    }

    /// Exact, where turning the integer into a `Double` would lose its low bits.
    private static func compare<I: FixedWidthInteger>(_ integer: I, _ double: Double) -> ComparisonResult {
        let whole = double.rounded(.down)
        guard let floor = I(exactly: whole) else { return double < 0 ? .orderedDescending : .orderedAscending }
        if integer != floor { return order(integer, floor) }
        return whole < double ? .orderedAscending : .orderedSame
    }

    private static func compareDecimals(_ a: SortKey, _ b: SortKey) -> ComparisonResult {
        guard let x = a.exactDecimal, let y = b.exactDecimal else { return order(a.approximation, b.approximation) }
        return order(x, y)
    }

    /// `nil` for a `Double` out of a decimal's range: too large, or so small that it would not be a number.
    var exactDecimal: Decimal? {
        switch self {
        case .integer(let value): Decimal(value)
        case .bigInteger(let value): Decimal(value)
        // The shortest text of 0.1 is 0.1, as people mean it and as a store gives back a decimal that it keeps as a double; the
        // exact value is not.
        case .double(let value): Decimal(shortest: value)
        case .decimal(let value): value
        default: nil
        }
    }

    /// The number as a `Double`; 0 for anything else.
    var approximation: Double {
        switch self {
        case .integer(let value): Double(value)
        case .bigInteger(let value): Double(value)
        case .double(let value): value
        case .decimal(let value): value.nearestDouble
        default: 0
        }
    }
}

// MARK: - Text, bytes and the rest

extension SortKey {
    private static func compareText(_ a: String, _ b: String) -> ComparisonResult {
        // UTF-8 was made so that its bytes sort like code points.
        let fast = a.utf8.withContiguousStorageIfAvailable { left in
            b.utf8.withContiguousStorageIfAvailable { right in
                compareBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
            }
        }
        if let result = fast.flatMap({ $0 }) { return result }
        if a.utf8.lexicographicallyPrecedes(b.utf8) { return .orderedAscending }
        return b.utf8.lexicographicallyPrecedes(a.utf8) ? .orderedDescending : .orderedSame
    }

    private static func compareBytes(_ a: some RawBytes, _ b: some RawBytes) -> ComparisonResult {
        a.withRawBytes { left in b.withRawBytes { right in compareBytes(left, right) } }
    }

    private static func compareBytes(_ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer) -> ComparisonResult {
        if let left = a.baseAddress, let right = b.baseAddress {
            let result = memcmp(left, right, min(a.count, b.count))
            if result != 0 { return result < 0 ? .orderedAscending : .orderedDescending }
        }
        return order(a.count, b.count)
    }

    private static func compareOthers(_ a: Any, _ b: Any) -> ComparisonResult {
        guard let comparable = a as? any Comparable else { return .orderedSame }
        return compare(comparable, with: b)
    }

    private static func compare<T: Comparable>(_ a: T, with b: Any) -> ComparisonResult {
        guard let b = b as? T else { return .orderedSame }
        return order(a, b)
    }
}

/// What has a fixed run of bytes to compare.
private protocol RawBytes {
    func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result
}

extension Data: RawBytes {
    fileprivate func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result { withUnsafeBytes(body) }
}

extension UUID: RawBytes {
    fileprivate func withRawBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        withUnsafeBytes(of: uuid, body)
    }
}

extension ComparisonResult {
    var reversed: ComparisonResult {
        switch self {
        case .orderedAscending: .orderedDescending
        case .orderedSame: .orderedSame
        case .orderedDescending: .orderedAscending
        }
    }
}
