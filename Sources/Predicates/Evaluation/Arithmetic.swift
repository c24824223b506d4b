import Foundation

/// Arithmetic as a store does it: nil with anything is nil, so is what has no result (a division by zero), whole numbers stay
/// whole, and what overflows 64 bits goes on as a floating-point number.
enum Arithmetic {
    static func add(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        switch (a, b) {
        case (.date(let date), _) where b.isNumber: .date(date.addingTimeInterval(b.doubleValue))
        case (_, .date(let date)) where a.isNumber: .date(date.addingTimeInterval(a.doubleValue))
        default: try combine(a, b, "+", { $0.addingReportingOverflow($1) }, +, +)
        }
    }

    static func subtract(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        switch (a, b) {
        case (.date(let date), .date(let other)): PredicateValue(result: date.timeIntervalSince(other))
        case (.date(let date), _) where b.isNumber: .date(date.addingTimeInterval(-b.doubleValue))
        default: try combine(a, b, "-", { $0.subtractingReportingOverflow($1) }, -, -)
        }
    }

    static func multiply(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        try combine(a, b, "*", { $0.multipliedReportingOverflow(by: $1) }, *, *)
    }

    static func divide(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        if b.isZero, !a.isNull { return try number(a, "/") }
        return try combine(a, b, "/", { $0.dividedReportingOverflow(by: $1) }, /, /)
    }

    static func remainder(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        if b.isZero, !a.isNull { return try number(a, "modulus:by:") }
        return try combine(
            a, b, "modulus:by:", { $0.remainderReportingOverflow(dividingBy: $1) }, { fmod($0, $1) },
            { a, b in
                var quotient = a / b
                var whole = Decimal()
                NSDecimalRound(&whole, &quotient, 0, quotient < 0 ? .up : .down)
                return a - whole * b
            })
    }

    static func power(_ a: PredicateValue, _ b: PredicateValue) throws -> PredicateValue {
        if a.isNull || b.isNull { return .null }
        guard a.isNumber, b.isNumber else { throw mismatch(a, b, "**") }
        return PredicateValue(result: pow(a.doubleValue, b.doubleValue))
    }

    static func negate(_ a: PredicateValue) throws -> PredicateValue { try subtract(.integer(0), a) }

    static func apply(_ function: PredicateFunction, _ a: PredicateValue, _ body: (Double) -> Double) throws -> PredicateValue {
        if a.isNull { return .null }
        guard a.isNumber else { throw needsNumber(function.rawValue, a) }
        return PredicateValue(result: body(a.doubleValue))
    }

    /// Rounds, or takes the absolute value; whole numbers stay as they are.
    static func round(_ function: PredicateFunction, _ a: PredicateValue) throws -> PredicateValue {
        switch (function, a) {
        case (.absolute, .integer(let value)): value == .min ? .unsigned(1 << 63) : .integer(abs(value))
        case (.absolute, .decimal(let value)): .decimal(abs(value))
        case (_, .integer), (_, .unsigned): a
        case (.absolute, _): try apply(function, a) { abs($0) }
        case (.floor, _): try apply(function, a) { $0.rounded(.down) }
        case (.ceiling, _): try apply(function, a) { $0.rounded(.up) }
        default: try apply(function, a) { $0.rounded(.towardZero) }
        }
    }

    static func bits(
        _ function: PredicateFunction, _ a: PredicateValue, _ b: PredicateValue, _ body: (Int64, Int64) -> Int64
    ) throws -> PredicateValue {
        if a.isNull || b.isNull || a.isNaN || b.isNaN { return .null }
        return .integer(body(try whole(function, a), try whole(function, b)))
    }

    static func whole(_ function: PredicateFunction, _ a: PredicateValue) throws -> Int64 {
        guard a.isNumber else { throw needsNumber(function.rawValue, a) }
        if case .integer(let value) = a { return value }
        if case .unsigned(let value) = a { return Int64(bitPattern: value) }
        guard let value = Int64(exactly: a.doubleValue.rounded(.towardZero)) else {
            throw InvalidPredicateError(.type, "\(function.rawValue) needs whole numbers of 64 bits")
        }
        return value
    }

    private static func combine(
        _ a: PredicateValue, _ b: PredicateValue, _ symbol: String, _ integers: (Int64, Int64) -> (Int64, Bool),
        _ doubles: (Double, Double) -> Double, _ decimals: (Decimal, Decimal) -> Decimal
    ) throws -> PredicateValue {
        switch (a, b) {
        case (.integer(let x), .integer(let y)):
            let (result, overflows) = integers(x, y)
            return overflows ? PredicateValue(result: doubles(Double(x), Double(y))) : .integer(result)
        case (.double(let x), .double(let y)): return PredicateValue(result: doubles(x, y))
        case (.null, _), (_, .null):
            for value in [a, b] where !value.isNull { _ = try number(value, symbol) }
            return .null
        case (.decimal, .integer), (.integer, .decimal), (.decimal, .decimal), (.decimal, .unsigned), (.unsigned, .decimal):
            guard let x = a.sortKey.exactDecimal, let y = b.sortKey.exactDecimal else { return .null }
            let result = decimals(x, y)
            // Out of a decimal's range, which Foundation finds some quotients of very small numbers to be that are in it.
            return result.isNaN ? PredicateValue(result: doubles(a.doubleValue, b.doubleValue)) : .decimal(result)
        default:
            guard a.isNumber, b.isNumber else { throw mismatch(a, b, symbol) }
            return PredicateValue(result: doubles(a.doubleValue, b.doubleValue))
        }
    }

    /// Nil, after checking that the value may stand in arithmetic at all.
    private static func number(_ value: PredicateValue, _ symbol: String) throws -> PredicateValue {
        if case .date = value { return .null }
        guard value.isNumber else { throw needsNumber(symbol, value) }
        return .null
    }

    private static func needsNumber(_ name: String, _ value: PredicateValue) -> InvalidPredicateError {
        InvalidPredicateError(.type, "\"\(name)\" needs a number, not \(value.typeName)")
    }

    private static func mismatch(_ a: PredicateValue, _ b: PredicateValue, _ symbol: String) -> InvalidPredicateError {
        InvalidPredicateError(.type, "\"\(symbol)\" needs numbers, not \(a.typeName) and \(b.typeName)")
    }
}

extension PredicateValue {
    /// The number as a floating-point number; 0 for anything else.
    package var doubleValue: Double { sortKeyOfNumber.approximation }

    fileprivate var isZero: Bool { isNumber && doubleValue == 0 }

    private var sortKeyOfNumber: SortKey { isNumber ? sortKey : .integer(0) }
}
