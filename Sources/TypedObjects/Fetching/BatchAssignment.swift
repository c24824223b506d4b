import ObjectGraph

/// A property and the value that a batch update gives it: `.init(\.duration, to: 90)`.
public struct BatchAssignment<Object: TypedObject> {
    let apply: (Object) -> Void

    /// Makes an assignment.
    ///
    /// - Parameters:
    ///   - keyPath: a key path to a managed property that is no relationship. Properties that are read-only where this is written can't be named.
    ///   - value: the value.
    public init<Value>(_ keyPath: ReferenceWritableKeyPath<Object, Value>, to value: Value) {
        apply = { $0[keyPath: keyPath] = value }
    }
}
