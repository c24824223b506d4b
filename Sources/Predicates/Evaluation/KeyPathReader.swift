/// Reads the first keys of a path directly from the evaluated object, without names and boxes. The layer that knows the objects'
/// class makes it.
package struct KeyPathReader {
    /// How many keys it follows.
    package let count: Int
    /// The value at the end of these keys.
    package let read: (AnyObject) throws -> PredicateValue

    package init(count: Int, read: @escaping (AnyObject) throws -> PredicateValue) {
        self.count = count
        self.read = read
    }
}

/// An object that answers for predicates itself: no boxing, and an error instead of a stop for a key it doesn't have.
package protocol PredicateKeyReading: AnyObject {
    /// The value of one property.
    func predicateValue(forKey key: String) throws -> PredicateValue
}
