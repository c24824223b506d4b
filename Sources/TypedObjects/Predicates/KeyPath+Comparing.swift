import Foundation
import ObjectGraph

// `\.title == "Ran"`: the operators of `TypedKey`, for key paths. The compiler uses them only if the result must be a
// `TypedPredicate`.

/// True if the value equals the other one.
public func == <Object: TypedObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) == value
}

/// True if the value does not equal the other one.
public func != <Object: TypedObject, Value: Equatable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) != value
}

/// True if the value is less than the other one.
public func < <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) < value
}

/// True if there is a value and it is less than the other one.
public func < <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) < value
}

/// True if the value is less than or equal to the other one.
public func <= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) <= value
}

/// True if there is a value and it is less than or equal to the other one.
public func <= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object>
{
    TypedKey(keyPath) <= value
}

/// True if the value is greater than the other one.
public func > <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) > value
}

/// True if there is a value and it is greater than the other one.
public func > <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) > value
}

/// True if the value is greater than or equal to the other one.
public func >= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value>, value: Value) -> TypedPredicate<Object> {
    TypedKey(keyPath) >= value
}

/// True if there is a value and it is greater than or equal to the other one.
public func >= <Object: TypedObject, Value: Comparable>(keyPath: KeyPath<Object, Value?>, value: Value) -> TypedPredicate<Object>
{
    TypedKey(keyPath) >= value
}
