/// A property, or the end of a path of relationships, that observers can ask about: a key of any type.
public protocol ObservableKey<Object> {
    /// The class that the key is of.
    associatedtype Object: TypedObject
    /// The name in the model, with dots between the names of a path.
    var storedName: String { get }
}

extension TypedKey: ObservableKey {}
