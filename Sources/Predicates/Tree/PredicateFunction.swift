/// The functions every expression may use, by the names Apple gave them.
package enum PredicateFunction: String, CaseIterable, Sendable {
    case sum = "sum:"
    case count = "count:"
    case min = "min:"
    case max = "max:"
    case average = "average:"
    case median = "median:"
    case mode = "mode:"
    case standardDeviation = "stddev:"
    case add = "add:to:"
    /// The first minus the second.
    case subtract = "from:subtract:"
    case multiply = "multiply:by:"
    case divide = "divide:by:"
    case modulus = "modulus:by:"
    case raise = "raise:toPower:"
    case negate = "chs:"
    case squareRoot = "sqrt:"
    case logarithm = "log:"
    case naturalLogarithm = "ln:"
    case exponential = "exp:"
    case floor = "floor:"
    case ceiling = "ceiling:"
    case absolute = "abs:"
    case truncate = "trunc:"
    case bitwiseAnd = "bitwiseAnd:with:"
    case bitwiseOr = "bitwiseOr:with:"
    case bitwiseXor = "bitwiseXor:with:"
    case leftShift = "leftshift:by:"
    case rightShift = "rightshift:by:"
    case onesComplement = "onesComplement:"
    case uppercase = "uppercase:"
    case lowercase = "lowercase:"
    /// Without case and diacritics.
    case canonical = "canonical:"
    case length = "length:"
    case now = "now"
    case random = "random"
    case randomBelow = "random:"
    /// Its argument: a hint that an index should not be used.
    case noIndex = "noindex:"
    /// `CAST(value, "NSDate")`; the second argument is a constant string.
    case cast = "castObject:toType:"
    /// `collection[index]`.
    case elementAtIndex = "objectFrom:withIndex:"

    /// The functions of several numbers, which take one collection or the numbers themselves.
    package var isAggregate: Bool {
        switch self {
        case .sum, .count, .min, .max, .average, .median, .mode, .standardDeviation: true
        default: false
        }
    }

    /// How many arguments the function takes. An aggregate takes at least one.
    package var argumentCount: Int {
        rawValue.utf8.count { $0 == UInt8(ascii: ":") }
    }

    func takes(_ count: Int) -> Bool {
        isAggregate ? count >= 1 : count == argumentCount
    }

    /// A function by the name written in a format string: `sum`, `sum:` and `add:to:` are all good.
    init?(name: String) {
        if let exact = PredicateFunction(rawValue: name) ?? PredicateFunction(rawValue: name + ":") {
            self = exact
        } else if name == "randomn:" || name == "randomn" {
            self = .randomBelow
        } else if name == "now:" {
            self = .now
        } else {
            return nil
        }
    }

    /// The name in a format string.
    var printedName: String {
        guard argumentCount == 1, self != .canonical, self != .randomBelow else { return rawValue }
        return String(rawValue.dropLast())
    }
}
