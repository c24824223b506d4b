import DataModel
import Foundation
import Storage

/// Tells what is wrong with the value of one property.
struct PropertyValidation {
    let object: NSManagedObject
    /// The property's name; for an element of a composite attribute its path.
    let key: String

    // MARK: Attributes

    /// All that is wrong with a value that is there.
    func errors(_ attribute: NSAttributeDescription, value: Any) -> [NSError] {
        typeErrors(attribute, value) + predicateErrors(attribute, value)
    }

    /// What is wrong with the value whatever the model says.
    private func typeErrors(_ attribute: NSAttributeDescription, _ value: Any) -> [NSError] {
        switch (attribute.attributeType, value) {
        case (.integer16AttributeType, let number as NSNumber):
            widthErrors(number.int64Value, Int64(Int16.min)...Int64(Int16.max), "16")
        case (.integer32AttributeType, let number as NSNumber):
            widthErrors(number.int64Value, Int64(Int32.min)...Int64(Int32.max), "32")
        case (.dateAttributeType, let date as Date) where !date.timeIntervalSinceReferenceDate.isFinite:
            [
                error(
                    NSValidationInvalidDateError,
                    "\(subject) is not a point in time: \(date.timeIntervalSinceReferenceDate) seconds", value)
            ]
        case (.URIAttributeType, let url as URL) where !PropertyValidation.isAbsolute(url.absoluteString):
            [error(NSValidationInvalidURIError, "\(subject) is not an absolute URL: \(url.absoluteString)", value)]
        case (.URIAttributeType, let text as String): [error(NSValidationInvalidURIError, "\(subject) is no URL: \(text)", value)]
        default: []
        }
    }

    private func widthErrors(_ number: Int64, _ range: ClosedRange<Int64>, _ bits: String) -> [NSError] {
        guard !range.contains(number) else { return [] }
        let isLarge = number > range.upperBound
        return [
            error(
                isLarge ? NSValidationNumberTooLargeError : NSValidationNumberTooSmallError,
                "\(subject) is too \(isLarge ? "large" : "small") for an integer of \(bits) bits: \(number)",
                NSNumber(value: number))
        ]
    }

    /// Whether a URL's text begins with a scheme.
    static func isAbsolute(_ text: String) -> Bool {
        var isFirst = true
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): break
            case UInt8(ascii: ":"): return !isFirst
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
                if isFirst { return false }
            default: return false
            }
            isFirst = false
        }
        return false
    }

    // MARK: Predicates

    /// The predicates of a property that a value does not satisfy.
    func predicateErrors(_ property: NSPropertyDescription, _ value: Any) -> [NSError] {
        var errors: [NSError] = []
        for (index, predicate) in property.validationPredicates.enumerated() where !predicate.evaluate(with: value) {
            let warning = index < property.validationWarnings.count ? property.validationWarnings[index] : nil
            let code = (warning as? NSNumber)?.intValue ?? warning as? Int ?? NSManagedObjectValidationError
            let rule = (predicate as? LimitPredicate).map { " (the rule is \($0.text))" } ?? ""
            let message = warning as? String ?? "\(subject) \(explanation(code)): \(short(value))\(rule)"
            errors.append(error(code, message, value, predicate: predicate))
        }
        return errors
    }

    private func explanation(_ code: Int) -> String {
        switch code {
        case NSValidationNumberTooLargeError: "is too large"
        case NSValidationNumberTooSmallError: "is too small"
        case NSValidationDateTooLateError: "is too late"
        case NSValidationDateTooSoonError: "is too soon"
        case NSValidationInvalidDateError: "is not a valid date"
        case NSValidationStringTooLongError: "is too long"
        case NSValidationStringTooShortError: "is too short"
        case NSValidationStringPatternMatchingError: "does not match its pattern"
        case NSValidationInvalidURIError: "is not a valid URL"
        default: "is not valid"
        }
    }

    private func short(_ value: Any) -> String {
        let text = "\(value)"
        return text.utf8.count > 100 ? "\(text.prefix(100))…" : text
    }

    // MARK: Counts

    /// What is wrong with the number of a to-many relationship's objects.
    func countErrors(_ rule: ValidationRules.CountRange, _ count: Int, _ value: Any?) -> [NSError] {
        guard !rule.admits(count) else { return [] }
        if count > rule.maximum {
            return [
                error(
                    NSValidationRelationshipExceedsMaximumCountError,
                    "\(subject) has \(count) objects, more than \(rule.maximum)", value)
            ]
        }
        let minimum = max(rule.minimum, 1)
        return [
            error(NSValidationRelationshipLacksMinimumCountError, "\(subject) has \(count) objects, fewer than \(minimum)", value)
        ]
    }

    // MARK: Errors

    func missing() -> NSError { error(NSValidationMissingMandatoryPropertyError, "\(subject) is required and has no value", nil) }

    func unacceptable(_ value: Any, wanted: String) -> NSError {
        error(NSManagedObjectValidationError, "\(subject) must be \(wanted), not \(type(of: value)): \(short(value))", value)
    }

    func error(_ code: Int, _ message: String, _ value: Any?, predicate: NSPredicate? = nil) -> NSError {
        var userInfo: [String: Any] = [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key]
        userInfo[NSValidationValueErrorKey] = value
        userInfo[NSValidationPredicateErrorKey] = predicate
        return .coreData(code, message, userInfo)
    }

    /// "“name” of “Pet” (x-coredata://…)"
    private var subject: String { "“\(key)” of “\(object.layout.name)” (\(object.objectID.uriRepresentation().absoluteString))" }
}
