import Predicates

/// Follows key paths with the rules of `KeyValueCoding`.
package enum KeyValueWalk {
    private struct Start: KeyValueCoding {
        let object: NSManagedObject
        func value(forKey key: String) -> Any? { object.value(forKey: key) }
    }

    package static func value(of object: NSManagedObject, _ keyPath: String) -> Any? {
        Start(object: object).value(forKeyPath: keyPath)
    }
}
