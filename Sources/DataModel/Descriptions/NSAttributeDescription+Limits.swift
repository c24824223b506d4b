import Foundation

extension NSAttributeDescription {
    /// Sets the limits of a model file, and the validation predicates that they stand for.
    package final func setLimits(_ limits: ValidationLimits) {
        validationLimits = limits
        let predicates = limitPredicates
        setValidationPredicates(predicates, warnings: predicates.map { NSNumber(value: $0.errorCode) })
    }

    private final var limitPredicates: [LimitPredicate] {
        let limits = validationLimits
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float:
            return [
                limits.minimum.flatMap(ModelText.decimal).map { LimitPredicate(.minimumNumber($0)) },
                limits.maximum.flatMap(ModelText.decimal).map { LimitPredicate(.maximumNumber($0)) },
            ].compactMap { $0 }
        case .date:
            return [
                limits.minimum.flatMap(ModelText.double).map { LimitPredicate(.earliest($0)) },
                limits.maximum.flatMap(ModelText.double).map { LimitPredicate(.latest($0)) },
            ].compactMap { $0 }
        case .string:
            return [
                limits.minimum.flatMap(ModelText.double).map { LimitPredicate(.minimumLength(Self.length($0, rounded: .up))) },
                limits.maximum.flatMap(ModelText.double).map { LimitPredicate(.maximumLength(Self.length($0, rounded: .down))) },
                limits.regularExpression.flatMap { $0.isEmpty ? nil : LimitPredicate(pattern: $0) },
            ].compactMap { $0 }
        default:
            return []
        }
    }

    private static func length(_ number: Double, rounded rule: FloatingPointRoundingRule) -> Int {
        Int(exactly: number.rounded(rule)) ?? (number > 0 ? .max : 0)
    }
}
