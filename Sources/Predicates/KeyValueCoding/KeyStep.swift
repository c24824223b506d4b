import Foundation

/// One key of a path. It remembers how objects of the first class it met are read: finding out which protocol a class conforms to
/// takes longer than reading.
final class KeyStep {
    let key: String
    private let first = OnceCache<ClassReader>()

    init(_ key: String) { self.key = key }

    func value(of value: PredicateValue) throws -> PredicateValue {
        guard case .object(let object) = value else { return try KeyPathWalk.value(of: value, forKey: key) }
        let reader = first.value { ClassReader(object) }
        guard reader.type == ObjectIdentifier(Swift.type(of: object)), let read = reader.read else {
            return try KeyPathWalk.value(of: value, forKey: key)
        }
        return try read(object, key)
    }
}

/// How objects of exactly one class are read.
private final class ClassReader {
    let type: ObjectIdentifier
    let read: ((AnyObject, String) throws -> PredicateValue)?

    init(_ object: AnyObject) {
        type = ObjectIdentifier(Swift.type(of: object))
        if let reading = object as? any PredicateKeyReading {
            read = Self.reader(reading)
        } else if let coding = object as? any KeyValueCoding {
            read = Self.reader(coding)
        } else {
            read = nil
        }
    }

    // The cast is unchecked: the step compares the class first.
    private static func reader<Object: PredicateKeyReading>(_ object: Object) -> (AnyObject, String) throws -> PredicateValue {
        { object, key in try unsafeDowncast(object, to: Object.self).predicateValue(forKey: key) }
    }

    private static func reader<Object: KeyValueCoding>(_ object: Object) -> (AnyObject, String) throws -> PredicateValue {
        { object, key in PredicateValue(unsafeBitCast(object, to: Object.self).value(forKey: key)).asRead }
    }
}
