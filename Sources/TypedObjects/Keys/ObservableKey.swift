/// A key whose changes can be observed, without the type of its value.
public protocol ObservableKey<Object> {
    /// The class that the key is of.
    associatedtype Object: TypedObject
    /// The name in the model, with dots between the names of a path.
    var storedName: String { get }
}

extension TypedKey: ObservableKey {}
