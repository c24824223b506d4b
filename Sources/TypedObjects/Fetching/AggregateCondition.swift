import Foundation

/// Which objects an aggregate is over: `#Predicate`, or a condition made of keys.
public enum AggregateCondition<Object: TypedObject> {
    /// Objects that a Swift predicate is true for.
    case predicate(Predicate<Object>)
    /// Objects that a condition made of keys is true for.
    case keys(TypedPredicate<Object>)
}
