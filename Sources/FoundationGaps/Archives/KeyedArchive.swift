package import Foundation

/// The one place where keyed archives are made and read. The caller says which classes an archive may make.
package enum KeyedArchive {
    /// The reason why an archive can't be read, or why a value can't be archived.
    package struct Failure: LocalizedError {
        package let reason: String

        package init(reason: String) { self.reason = reason }

        package var errorDescription: String? { reason }
    }

    /// The greatest depth of nested collections and objects.
    static let greatestDepth = 100

    /// Classes that can do no harm: collections, and values without references.
    package static let plainClasses: [AnyClass] = [
        NSArray.self, NSDictionary.self, NSSet.self, NSString.self, NSNumber.self, NSDate.self, NSData.self, NSURL.self,
        NSUUID.self, NSNull.self,
    ]

    /// The object in an archive.
    ///
    /// - Parameter classes: The classes, or superclasses, that the object may have. Contents of collections may also
    ///   have the plain classes.
    /// - Throws: If the bytes are not an archive, are damaged, or need another class.
    package static func object(in data: Data, classes: [AnyClass]) throws -> Any {
        return try ArchiveDecoder(data).root(classes)
    }

    /// The archive of a value, as `object(in:classes:)` takes it.
    ///
    /// - Parameter classes: As in `object(in:classes:)`.
    /// - Throws: If the value, or a part of it, has another class, so that it could not be read again.
    package static func data(of value: Any, classes: [AnyClass]) throws -> Data {
        let object = try archivable(value, classes, depth: 0)
        guard isInstance(object, of: classes) else { throw refusal(value, classes) }
        return try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
    }

    /// A value with Foundation's classes in place of Swift's, for `NSKeyedArchiver`.
    private static func archivable(_ value: Any, _ classes: [AnyClass], depth: Int) throws -> NSObject {
        guard depth < greatestDepth else { throw Failure(reason: "it is nested more than \(greatestDepth) levels deep") }
        func inner(_ value: Any) throws -> NSObject { try archivable(value, classes, depth: depth + 1) }
        switch value {
        case let value as String: return NSString(string: value)
        case is Decimal, is NSDecimalNumber:
            // Foundation's own archiver stops the program here.
            throw Failure(
                reason: "a decimal number can't be archived on this system; keep it as text or in an attribute of its own")
        case let value as NSNumber: return value
        case let value as Date: return value as NSDate
        case let value as Data: return value as NSData
        case let value as UUID: return value as NSUUID
        case let value as URL: return value as NSURL
        case let value as [Any]: return NSArray(array: try value.map(inner))
        case let value as [AnyHashable: Any]:
            let result = NSMutableDictionary()
            for (key, value) in value {
                let key = try inner(key.base)
                guard !(key is NSArray || key is NSDictionary) else {
                    throw Failure(reason: "a collection is the key of a dictionary")
                }
                result.setObject(try inner(value), forKey: AnyHashable(key))
            }
            return result
        case let value as Set<AnyHashable>: return NSSet(array: try value.map { try inner($0.base) })
        default: break
        }
        guard let object = value as? NSObject, isInstance(object, of: classes + plainClasses) else {
            throw refusal(value, classes)
        }
        guard (type(of: object) as? any NSSecureCoding.Type)?.supportsSecureCoding == true else {
            throw Failure(reason: "the class \(type(of: value)) does not support secure coding")
        }
        guard name(of: type(of: object)) != nil else {
            throw Failure(
                reason: "the class \(type(of: value)) is declared inside another declaration, so archives have no name for it")
        }
        return object
    }

    /// The name of a class in archives. Foundation would stop the program for a class that is not at the top level of a
    /// module.
    static func name(of type: AnyClass) -> String? {
        let parts = String(reflecting: type).split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(isPlain) else { return nil }
        return parts[0] == "Foundation" ? String(parts[1]) : parts.joined(separator: ".")
    }

    /// Whether the runtime can look up a name without demangling it.
    static func isPlain(_ name: Substring) -> Bool {
        name.unicodeScalars.first.map { $0 == "_" || $0.properties.isAlphabetic } ?? false
            && name.unicodeScalars.allSatisfy { $0 == "_" || $0.properties.isAlphabetic || ("0"..."9").contains($0) }
    }

    private static func refusal(_ value: Any, _ classes: [AnyClass]) -> Failure {
        Failure(
            reason:
                "the class \(type(of: value)) is not among those that the transformer allows (\(classes.map { "\($0)" }.joined(separator: ", "))): register "
                + "a subclass of NSSecureUnarchiveFromDataTransformer whose allowedTopLevelClasses have it, and name it in the model"
        )
    }

    static func isInstance(_ object: Any, of classes: [AnyClass]) -> Bool {
        classes.contains { isKind(type(of: object as AnyObject), of: $0) }
    }

    static func isKind(_ candidate: AnyClass, of ancestor: AnyClass) -> Bool {
        var next: AnyClass? = candidate
        while let current = next {
            if current == ancestor { return true }
            next = _getSuperclass(current)
        }
        return false
    }
}
