import Foundation
import ObjectGraph
import Predicates

extension PredicateValue {
    /// A property's value as a predicate has it: what is stored.
    static func stored<Value>(_ value: Value) -> PredicateValue {
        switch value {
        case let optional as any OptionalType where optional.isNil: .null
        case let value as any AttributeValue: PredicateValue(value._modelValue)
        case let value as any RawRepresentable: PredicateValue(value.rawValue)
        default: PredicateValue(value)
        }
    }
}
