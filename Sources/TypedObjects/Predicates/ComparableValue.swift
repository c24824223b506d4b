import Foundation
import ObjectGraph
import Predicates

extension PredicateValue {
    /// The value of a property in the form in which it is stored, and in which a predicate compares it.
    static func stored<Value>(_ value: Value) -> PredicateValue {
        switch value {
        case let optional as any OptionalType where optional.isNil: .null
        case let value as any AttributeValue: PredicateValue(value._modelValue)
        case let value as any RawRepresentable: PredicateValue(value.rawValue)
        default: PredicateValue(value)
        }
    }
}
