import DataModel
import Foundation
import Storage

extension ValueProblem {
    /// The problem of a value as key-value coding gives it; nil if there is none.
    init?(_ value: Any, for type: NSAttributeType) {
        switch (type, value) {
        case (.integer16AttributeType, let number as NSNumber), (.integer32AttributeType, let number as NSNumber),
            (.integer64AttributeType, let number as NSNumber), (.booleanAttributeType, let number as NSNumber):
            self.init(integer: number, type)
        case (.doubleAttributeType, let number as NSNumber) where number.doubleValue.isNaN: self = .notANumber
        case (.floatAttributeType, let number as NSNumber):
            if number.doubleValue.isNaN {
                self = .notANumber
            } else if ValueDomain.isBeyondFloat(number.doubleValue) {
                self = number.doubleValue > 0 ? .tooLarge : .tooSmall
            } else {
                return nil
            }
        case (.decimalAttributeType, let number as NSDecimalNumber) where number.decimalValue.isNaN: self = .notANumber
        case (.dateAttributeType, let date as Date) where !date.timeIntervalSinceReferenceDate.isFinite: self = .notADate
        // A text that can be a URL is valid.
        case (.URIAttributeType, is String): self = .notAURL
        default: return nil
        }
    }

    private init?(integer value: NSNumber, _ type: NSAttributeType) {
        guard let number = WholeNumber(value) else { return nil }
        if number.isNaN {
            self = .notANumber
        } else if type == .booleanAttributeType {
            return nil
        } else if number.given != nil, number.nearest != .max, number.nearest != .min {
            self = .notWhole
        } else if number.given != nil || !ValueDomain.integers(type).contains(number.nearest) {
            self = number.nearest > 0 ? .tooLarge : .tooSmall
        } else {
            return nil
        }
    }
}
