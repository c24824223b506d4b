package import Foundation

// What the plain classes of an archive stand for. A value of another kind gives nil.
extension ArchiveGraph {
    /// The text of a member.
    package func text(_ key: String, of object: Object) throws -> String? { try member(key, of: object).flatMap(text) }

    /// A text, also one that is an object.
    package func text(_ value: Value) throws -> String? {
        switch try resolve(value) {
        case .text(let text): return text
        case .object(let object) where ["NSString", "NSMutableString"].contains(object.className):
            guard case .text(let text)? = try member("NS.string", of: object) else { return nil }
            return text
        default: return nil
        }
    }

    /// The whole number of a member; a truth value is 0 or 1.
    package func integer(_ key: String, of object: Object) throws -> Int? {
        switch try member(key, of: object) {
        case .integer(let number)?: Int(exactly: number)
        case .bool(let flag)?: flag ? 1 : 0
        case .real(let number)?: Int(exactly: number)
        default: nil
        }
    }

    /// Whether a member is true. False ones are mostly left out of archives.
    package func flag(_ key: String, of object: Object) throws -> Bool { try integer(key, of: object).map { $0 != 0 } ?? false }

    /// The members of an array or a set.
    package func items(_ value: Value) throws -> [Value]? {
        switch try resolve(value) {
        case .list(let values): return values
        case .object(let object):
            guard Self.collections.contains(object.className) else { return nil }
            if case .list(let values)? = try member("NS.objects", of: object) { return values }
            var values: [Value] = []
            while let value = try member("NS.object.\(values.count)", of: object) { values.append(value) }
            return values
        default: return nil
        }
    }

    /// The keys and values of a dictionary.
    package func entries(_ value: Value) throws -> [(key: Value, value: Value)]? {
        guard case .object(let object) = try resolve(value) else { return nil }
        switch object.className {
        case "NSDictionary", "NSMutableDictionary":
            guard case .list(let keys)? = try member("NS.keys", of: object),
                case .list(let values)? = try member("NS.objects", of: object)
            else { return nil }
            guard keys.count == values.count else {
                throw KeyedArchive.Failure(
                    reason: "the archive is damaged: a dictionary has \(keys.count) keys for \(values.count) values")
            }
            return Array(zip(keys, values)).map { (key: $0, value: $1) }
        case "NSKnownKeysDictionary1":
            // Keys stand in an object of their own, which several dictionaries may share.
            guard case .object(let mapping)? = try member("searchMapping", of: object),
                let keys = try member("keys", of: mapping).flatMap(items),
                let values = try member("values", of: object).flatMap(items)
            else { return nil }
            return Array(zip(keys, values)).map { (key: $0, value: $1) }
        default: return nil
        }
    }

    private static let collections: Set<String> = [
        "NSArray", "NSMutableArray", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet",
    ]

    /// The bytes of a value.
    package func data(_ value: Value) throws -> Data? {
        switch try resolve(value) {
        case .data(let data): return data
        case .object(let object) where ["NSData", "NSMutableData"].contains(object.className):
            guard case .data(let data)? = try member("NS.data", of: object) else { return nil }
            return data
        default: return nil
        }
    }

    /// A number, text, date, UUID, URL, decimal number or bytes, as Foundation has it: never a collection.
    package func foundationValue(_ value: Value) throws -> Any? {
        switch try resolve(value) {
        case .null, .list, .reference: return nil
        case .bool(let flag): return NSNumber(value: flag)
        case .integer(let number): return NSNumber(value: number)
        case .real(let number): return NSNumber(value: number)
        case .date(let seconds): return Date(timeIntervalSinceReferenceDate: seconds)
        case .text(let text): return text
        case .data(let data): return data
        case .object(let object): return try foundationValue(object)
        }
    }

    private func foundationValue(_ object: Object) throws -> Any? {
        switch object.className {
        case "NSString", "NSMutableString": return try text(.object(object))
        case "NSData", "NSMutableData": return try data(.object(object))
        case "NSDate":
            switch try member("NS.time", of: object) {
            case .real(let seconds)?: return Date(timeIntervalSinceReferenceDate: seconds)
            case .integer(let seconds)?: return Date(timeIntervalSinceReferenceDate: Double(seconds))
            default: return nil
            }
        case "NSUUID":
            guard case .data(let bytes)? = try member("NS.uuidbytes", of: object), bytes.count == 16 else { return nil }
            return UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
        case "NSURL": return try text("NS.relative", of: object).flatMap { URL(string: $0) }
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder":
            guard case .data(let mantissa)? = try member("NS.mantissa", of: object),
                let length = try integer("NS.length", of: object), let exponent = try integer("NS.exponent", of: object)
            else { return nil }
            let number = ArchivedDecimal(
                mantissa: mantissa, length: length, exponent: exponent, isNegative: try flag("NS.negative", of: object),
                isBigEndian: try integer("NS.mantissa.bo", of: object) == 2)
            return number.value.map { NSDecimalNumber(decimal: $0) }
        default: return nil
        }
    }
}
