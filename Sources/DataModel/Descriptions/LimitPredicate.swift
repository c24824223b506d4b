package import Foundation
import Predicates

/// The predicate that a limit in a model file stands for.
///
/// Apple's model compiler turns the limits that the model editor offers into predicates with error codes as their warnings. This
/// is such a predicate, kept in a form that needs no interpretation.
package final class LimitPredicate: NSPredicate {
    package enum Limit {
        case minimumNumber(Decimal)
        case maximumNumber(Decimal)
        /// In UTF-16 units, as `NSString` counts.
        case minimumLength(Int)
        case maximumLength(Int)
        /// Seconds since the reference date.
        case earliest(Double)
        case latest(Double)
        /// A regular expression for the whole text; without the compiled form the text is not a regular expression.
        case pattern(String, NSRegularExpression?)
    }

    package let limit: Limit

    package init(_ limit: Limit) {
        self.limit = limit
        super.init(value: true)
    }

    /// - Parameter pattern: An ICU regular expression, which must match the whole text.
    package convenience init(pattern: String) {
        // The pattern alone has to be one: "a)(b" would become one by the parentheses.
        let isPattern = (try? NSRegularExpression(pattern: pattern)) != nil
        self.init(.pattern(pattern, isPattern ? try? NSRegularExpression(pattern: "(?:\(pattern))\\z") : nil))
    }

    package required init?(coder: NSCoder) { nil }

    /// The code of the error if the predicate is not satisfied.
    package var errorCode: Int {
        switch limit {
        case .minimumNumber: NSValidationNumberTooSmallError
        case .maximumNumber: NSValidationNumberTooLargeError
        case .minimumLength: NSValidationStringTooShortError
        case .maximumLength: NSValidationStringTooLongError
        case .earliest: NSValidationDateTooSoonError
        case .latest: NSValidationDateTooLateError
        case .pattern: NSValidationStringPatternMatchingError
        }
    }

    package override var predicateFormat: String { text }

    /// The predicate in Apple's notation.
    package var text: String {
        switch limit {
        case .minimumNumber(let number): "SELF >= \(number)"
        case .maximumNumber(let number): "SELF <= \(number)"
        case .minimumLength(let length): "length >= \(length)"
        case .maximumLength(let length): "length <= \(length)"
        case .earliest(let seconds): "timeIntervalSinceReferenceDate >= \(seconds)"
        case .latest(let seconds): "timeIntervalSinceReferenceDate <= \(seconds)"
        case .pattern(let pattern, _):
            "SELF MATCHES \"\(pattern.replacingOccurrences(of: "\\", with: "\\\\").replacingOccurrences(of: "\"", with: "\\\""))\""
        }
    }

    package override func evaluate(with object: Any?) -> Bool {
        switch limit {
        case .minimumNumber(let number): LimitPredicate.order(of: object, number).map { $0 != .orderedAscending } ?? false
        case .maximumNumber(let number): LimitPredicate.order(of: object, number).map { $0 != .orderedDescending } ?? false
        case .minimumLength(let length): (object as? String).map { $0.utf16.count >= length } ?? false
        case .maximumLength(let length): (object as? String).map { $0.utf16.count <= length } ?? false
        case .earliest(let seconds): (object as? Date).map { $0.timeIntervalSinceReferenceDate >= seconds } ?? false
        case .latest(let seconds): (object as? Date).map { $0.timeIntervalSinceReferenceDate <= seconds } ?? false
        case .pattern(_, let expression): (object as? String).map { LimitPredicate.matches($0, expression) } ?? false
        }
    }

    package override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        evaluate(with: object)
    }

    /// A text for which the pattern takes too long does not match.
    package static func matches(_ text: String, _ expression: NSRegularExpression?) -> Bool {
        guard let expression, let match = try? expression.boundedMatch(in: text, options: .anchored) else { return false }
        return match.location == 0
    }

    /// How a number stands to a limit; nil for what is not a number. Floats are compared as floats, so that a limit of 0.1 admits
    /// the float 0.1.
    private static func order(of value: Any?, _ limit: Decimal) -> ComparisonResult? {
        if let decimal = value as? NSDecimalNumber { return decimal.compare(NSDecimalNumber(decimal: limit)) }
        guard let number = value as? NSNumber else { return nil }
        switch String(cString: number.objCType) {
        case "f": return order(number.floatValue, Float(double(limit)))
        case "d": return order(number.doubleValue, double(limit))
        default: return order(Decimal(number.int64Value), limit)
        }
    }

    private static func order<Number: Comparable>(_ a: Number, _ b: Number) -> ComparisonResult? {
        a < b ? .orderedAscending : a > b ? .orderedDescending : a == b ? .orderedSame : nil
    }

    /// The nearest double: `NSDecimalNumber.doubleValue` is off by some units in the last place.
    package static func double(_ decimal: Decimal) -> Double { Double("\(decimal)") ?? .nan }

    package override func isEqual(_ object: Any?) -> Bool { (object as? LimitPredicate)?.text == text }

    package override var hash: Int { text.hashValue }

    package override func copy(with zone: NSZone? = nil) -> Any { self }
}
