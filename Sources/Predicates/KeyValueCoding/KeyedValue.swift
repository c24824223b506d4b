import Foundation

/// Key-value access to anything: objects that conform to `KeyValueCoding`, dictionaries, and collections of these.
package enum KeyedValue {
    /// The value at `keyPath` seen from `object`; `nil` where there is none or where `object` offers no values by name.
    package static func value(of object: Any?, forKeyPath keyPath: String) -> Any? {
        guard let object = Optional<Any>.flattening(object) else { return nil }
        if let coding = object as? any KeyValueCoding { return coding.value(forKeyPath: keyPath) }
        return follow(keyPath, from: object)
    }

    /// Walks the path key by key.
    static func follow(_ keyPath: String, from object: Any) -> Any? {
        if keyPath.utf8.contains(UInt8(ascii: "@")) {
            let walk = KeyPathWalk(keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)[...])
            return try? walk.value(from: PredicateValue(object)).any
        }
        // Collections in collections have a level for each key.
        guard keyPath.utf8.count(where: { $0 == UInt8(ascii: ".") }) < TreeDepth.greatestKeyCount else { return nil }
        var rest = Substring(keyPath)
        var current = object
        while let dot = rest.firstIndex(of: ".") {
            guard let next = value(of: current, forKey: String(rest[..<dot])) else { return nil }
            current = next
            rest = rest[rest.index(after: dot)...]
        }
        return value(of: current, forKey: String(rest))
    }

    private static func value(of object: Any, forKey key: String) -> Any? {
        if key == "self" { return object }
        switch object {
        case let coding as any KeyValueCoding: return .flattening(coding.value(forKey: key))
        case let dictionary as [String: Any]: return .flattening(dictionary[key])
        case let set as Set<AnyHashable>: return Set(set.compactMap { value(of: $0.base, forKey: key).flatMap(hashable) })
        case let array as [Any]: return array.map { value(of: $0, forKey: key) ?? NSNull() }
        case let ordered as NSOrderedSet: return ordered.map { value(of: $0, forKey: key) ?? NSNull() }
        default: return nil
        }
    }

    /// Foundation never comes back from the hash of a decimal number, so that a set gets the Swift value, which casts to the same
    /// types.
    private static func hashable(_ value: Any) -> AnyHashable? {
        (value as? NSDecimalNumber).map { AnyHashable($0.decimalValue) } ?? value as? AnyHashable
    }
}
