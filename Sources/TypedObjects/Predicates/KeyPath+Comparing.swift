import Foundation
import ObjectGraph

// `\.title == "Ran"`: the operators of `TypedKey`, for key paths. They are found only where a `TypedPredicate` is wanted.

/// Whether the value is this one.
public func == <Object: TypedObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) == value
}

/// Whether the value is another one.
public func != <Object: TypedObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) != value
}

/// Whether the value is less.
public func < <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) < value
}

/// Whether there is a value and it is less.
public func < <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) < value
}

/// Whether the value is not greater.
public func <= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) <= value
}

/// Whether there is a value and it is not greater.
public func <= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object>
{
    TypedKey(keyPath) <= value
}

/// Whether the value is greater.
public func > <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) > value
}

/// Whether there is a value and it is greater.
public func > <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) > value
}

/// Whether the value is not less.
public func >= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) >= value
}

/// Whether there is a value and it is not less.
public func >= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object>
{
    TypedKey(keyPath) >= value
}
