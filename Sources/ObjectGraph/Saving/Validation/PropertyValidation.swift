import DataModel
import Foundation
import Storage

/// Finds the errors of one property's value.
struct PropertyValidation {
    let object: NSManagedObject
    /// The property's name; for an element of a composite attribute its path.
    let key: String

    // MARK: Attributes

    /// All errors of a value that is not nil.
    ///
    /// - Parameter checksType: False for a value that came from the store: another program may have written it, so it
    ///   is not this program's mistake.
    func errors(_ attribute: NSAttributeDescription, value: Any, checksType: Bool = true) -> [NSError] {
        (checksType ? typeErrors(attribute, value) : []) + predicateErrors(attribute, value)
    }

    /// The errors of a value under any model.
    private func typeErrors(_ attribute: NSAttributeDescription, _ value: Any) -> [NSError] {
        guard let problem = ValueProblem(value, for: attribute.attributeType) else { return [] }
        return [error(problem.errorCode, "\(subject) \(problem.text(attribute.attributeType)): \(ValueText.short(value))", value)]
    }

    // MARK: Predicates

    /// The errors for predicates of a property that a value does not satisfy.
    func predicateErrors(_ property: NSPropertyDescription, _ value: Any) -> [NSError] {
        var errors: [NSError] = []
        for (index, predicate) in property.validationPredicates.enumerated() where !predicate.evaluate(with: value) {
            let warning = index < property.validationWarnings.count ? property.validationWarnings[index] : nil
            let code = (warning as? NSNumber)?.intValue ?? warning as? Int ?? NSManagedObjectValidationError
            let rule = (predicate as? LimitPredicate).map { " (the rule is \($0.text))" } ?? ""
            let message = warning as? String ?? "\(subject) \(explanation(code)): \(ValueText.short(value))\(rule)"
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

    // MARK: Counts

    /// The errors of the number of a to-many relationship's members.
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
        error(
            NSManagedObjectValidationError, "\(subject) must be \(wanted), not \(type(of: value)): \(ValueText.short(value))",
            value)
    }

    func error(_ code: Int, _ message: String, _ value: Any?, predicate: NSPredicate? = nil) -> NSError {
        var userInfo: [String: Any] = [NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: key]
        // Foundation stops the program when an error with a date of NaN seconds is printed.
        let seconds = (value as? Date)?.timeIntervalSinceReferenceDate ?? 0
        userInfo[NSValidationValueErrorKey] = seconds.isNaN ? NSNumber(value: seconds) : value
        userInfo[NSValidationPredicateErrorKey] = predicate
        return .coreData(code, message, userInfo)
    }

    /// "“name” of “Pet” (x-coredata://…)"
    private var subject: String { "“\(key)” of “\(object.layout.name)” (\(object.objectID.uriRepresentation().absoluteString))" }
}
