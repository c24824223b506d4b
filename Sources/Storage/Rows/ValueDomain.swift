package import DataModel
import Foundation
import Predicates

/// The reason why an attribute can't hold a value, under any model.
package enum ValueProblem: Sendable {
    /// NaN; for decimals every number that a decimal can't be.
    case notANumber
    /// A fraction for an integer.
    case notWhole
    case tooLarge
    case tooSmall
    /// A date that is not a point in time: infinite, or not a number.
    case notADate
    /// A text from which no URL can be made.
    case notAURL

    /// The code of the error for this problem.
    package var errorCode: Int {
        switch self {
        case .notANumber, .notWhole: NSManagedObjectValidationError
        case .tooLarge: NSValidationNumberTooLargeError
        case .tooSmall: NSValidationNumberTooSmallError
        case .notADate: NSValidationInvalidDateError
        case .notAURL: NSValidationInvalidURIError
        }
    }

    /// What is wrong with a computed number as an attribute's value. Integers take its whole part.
    package init?(computed number: Double, _ type: NSAttributeType) {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            let range = ValueDomain.integers(type)
            guard number < Double(range.lowerBound) || number >= Double(range.upperBound) + 1 else { return nil }
        case .floatAttributeType: guard ValueDomain.isBeyondFloat(number) else { return nil }
        case .dateAttributeType:
            guard !number.isFinite else { return nil }
            self = .notADate
            return
        case .decimalAttributeType:
            guard Decimal(shortest: number) == nil else { return nil }
            self = .notANumber
            return
        default: return nil
        }
        self = number > 0 ? .tooLarge : .tooSmall
    }

    /// The rest of a sentence that begins with the attribute.
    package func text(_ type: NSAttributeType) -> String {
        switch self {
        case .notANumber: "is not a number"
        case .notWhole: "is not a whole number"
        case .tooLarge: "is too large for \(Self.name(type))"
        case .tooSmall: "is too small for \(Self.name(type))"
        case .notADate: "is not a valid date"
        case .notAURL: "is not a valid URL"
        }
    }

    private static func name(_ type: NSAttributeType) -> String {
        switch type {
        case .integer16AttributeType: "an integer of 16 bits"
        case .integer32AttributeType: "an integer of 32 bits"
        case .floatAttributeType: "a number of single precision"
        default: "an integer of 64 bits"
        }
    }
}

/// Which values an attribute can hold by its type. All ways in ask here: validation, batch requests, the defaults of a model.
///
/// | type | values |
/// | --- | --- |
/// | Integer 16, 32, 64 | the whole numbers of so many bits |
/// | Boolean | 0 and 1; a number other than 0 is taken as 1 |
/// | Double, Float | all but NaN; a number is rounded to a Float, unless it is beyond the greatest one |
/// | Decimal | all but NaN, rounded to what a store gives back: see `Decimal.asStored` |
/// | Date | points in time: no infinite ones |
/// | URI | what `URL(string:)` takes |
package enum ValueDomain {
    /// The numbers that an integer of some type has; of other types all.
    package static func integers(_ type: NSAttributeType) -> ClosedRange<Int64> {
        switch type {
        case .integer16AttributeType: Int64(Int16.min)...Int64(Int16.max)
        case .integer32AttributeType: Int64(Int32.min)...Int64(Int32.max)
        case .booleanAttributeType: 0...1
        default: Int64.min...Int64.max
        }
    }

    /// The numbers between which an attribute's are; NaN is in none of these ranges.
    package static func reals(_ type: NSAttributeType) -> ClosedRange<Double> {
        type == .dateAttributeType
            ? -Double.greatestFiniteMagnitude...Double.greatestFiniteMagnitude : -Double.infinity...Double.infinity
    }

    /// A number as the nearest `Float`. One beyond the greatest stays as it is: it must not become infinite without a word.
    @inlinable package static func float(_ number: Double) -> Double {
        let float = Double(Float(number))
        return float.isInfinite ? number : float
    }

    /// Whether a number is beyond the greatest `Float`.
    @inlinable package static func isBeyondFloat(_ number: Double) -> Bool { number.isFinite && Float(number).isInfinite }

    /// What is wrong with the value of a slot, which is not nil.
    package static func problem(_ slots: Row.Slots, _ slot: Int, of layout: EntityLayout) -> ValueProblem? {
        let type = layout.slots[slot].attributeType
        switch layout.kind(slot) {
        case .integer:
            let (number, range) = (Int64(bitPattern: slots[slot]), integers(type))
            return range.contains(number) ? nil : number > range.upperBound ? .tooLarge : .tooSmall
        case .real:
            let number = Double(bitPattern: slots[slot])
            if type == .dateAttributeType { return number.isFinite ? nil : .notADate }
            if type == .floatAttributeType, isBeyondFloat(number) { return number > 0 ? .tooLarge : .tooSmall }
            return number.isNaN ? .notANumber : nil
        case .decimal: return Row.isDecimal(slots, slot) ? nil : .notANumber
        case .uri: return URL(string: Row.string(slots, slot)) == nil ? .notAURL : nil
        default: return nil
        }
    }
}
