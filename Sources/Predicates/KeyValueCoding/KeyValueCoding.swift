import Foundation

/// An object that offers its values by name, as every `NSObject` does on Apple's systems.
///
/// Sort descriptors made from a key, and predicates, read objects through this protocol. Managed objects conform; a class or
/// struct of your own may too:
///
/// ```swift
/// struct City: KeyValueCoding {
///     let name: String
///     func value(forKey key: String) -> Any? { key == "name" ? name : nil }
/// }
/// ```
///
/// Predicates follow key paths key by key through ``value(forKey:)``, so that they can tell which key is wrong.
///
/// Nothing here is tied to a thread: a call has the rules of the object it is made on.
public protocol KeyValueCoding {
    /// The value of one property.
    ///
    /// - Parameter key: The property's name, without dots.
    /// - Returns: The value, or `nil` where the property has none.
    func value(forKey key: String) -> Any?

    /// The value at the end of a path of keys, such as `director.name`.
    ///
    /// The default follows the keys one by one. A `nil` on the way gives `nil`. On a collection a key gives the collection of its
    /// elements' values: an array for arrays and ordered sets (`NSNull` where an element has none), a set for sets. Apple's
    /// collection operators (`@count`, `@max.age` and others) work; numbers that they compute are `NSNumber`.
    ///
    /// - Parameter keyPath: Keys separated by dots.
    /// - Returns: The value, or `nil`.
    func value(forKeyPath keyPath: String) -> Any?
}

extension KeyValueCoding {
    /// Follows the keys one by one, as the requirement says.
    public func value(forKeyPath keyPath: String) -> Any? {
        KeyedValue.follow(keyPath, from: self)
    }
}
