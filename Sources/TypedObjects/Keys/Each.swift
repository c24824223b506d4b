public import ObjectGraph

extension Set where Element: NSManagedObject {
    /// The values of a property of all objects. In a key path it is the step through a to-many relationship, as in
    /// `\.scenes[each: \.text]`.
    public subscript<Value>(each keyPath: KeyPath<Element, Value>) -> [Value] { map { $0[keyPath: keyPath] } }
}

extension Array where Element: NSManagedObject {
    /// The values of a property of all objects. In a key path it is the step through a to-many relationship, as in
    /// `\.scenes[each: \.text]`.
    public subscript<Value>(each keyPath: KeyPath<Element, Value>) -> [Value] { map { $0[keyPath: keyPath] } }
}

/// A collection that can be the value of a to-many relationship.
protocol EachCollection {
    /// The key path `\.[each: path]`. It is nil if the path does not start at an element.
    static func each(_ path: AnyKeyPath) -> AnyKeyPath?
    static var elementType: Any.Type { get }
    static var isOrdered: Bool { get }
}

extension Set: EachCollection where Element: NSManagedObject {
    static var isOrdered: Bool { false }
    static var elementType: Any.Type { Element.self }

    static func each(_ path: AnyKeyPath) -> AnyKeyPath? {
        func step<Value>(_ type: Value.Type) -> AnyKeyPath? {
            (path as? KeyPath<Element, Value>).map { \Self.[each: $0] }
        }
        return _openExistential(Swift.type(of: path).valueType, do: step)
    }
}

extension Array: EachCollection where Element: NSManagedObject {
    static var isOrdered: Bool { true }
    static var elementType: Any.Type { Element.self }

    static func each(_ path: AnyKeyPath) -> AnyKeyPath? {
        func step<Value>(_ type: Value.Type) -> AnyKeyPath? {
            (path as? KeyPath<Element, Value>).map { \Self.[each: $0] }
        }
        return _openExistential(Swift.type(of: path).valueType, do: step)
    }
}
