import Foundation

/// A class that `ArchiveDecoder` makes itself.
enum PlainArchiveClass {
    case array(isMutable: Bool)
    case dictionary(isMutable: Bool)
    case set(isMutable: Bool)
    case orderedSet(isMutable: Bool)
    case string(isMutable: Bool)
    case data(isMutable: Bool)
    case date, url, uuid, null, decimal

    init?(_ name: String) {
        switch name {
        case "NSArray": self = .array(isMutable: false)
        case "NSMutableArray": self = .array(isMutable: true)
        case "NSDictionary": self = .dictionary(isMutable: false)
        case "NSMutableDictionary": self = .dictionary(isMutable: true)
        case "NSSet": self = .set(isMutable: false)
        case "NSMutableSet": self = .set(isMutable: true)
        case "NSOrderedSet": self = .orderedSet(isMutable: false)
        case "NSMutableOrderedSet": self = .orderedSet(isMutable: true)
        case "NSString": self = .string(isMutable: false)
        case "NSMutableString": self = .string(isMutable: true)
        case "NSData": self = .data(isMutable: false)
        case "NSMutableData": self = .data(isMutable: true)
        case "NSDate": self = .date
        case "NSURL": self = .url
        case "NSUUID": self = .uuid
        case "NSNull": self = .null
        case "NSDecimalNumber", "NSDecimalNumberPlaceholder": self = .decimal
        default: return nil
        }
    }
}

extension ArchiveDecoder {
    func object(_ plain: PlainArchiveClass, _ members: [String: Int]) throws -> Any {
        switch plain {
        case .array(let isMutable): return try array(members, isMutable)
        case .dictionary(let isMutable): return try dictionary(members, isMutable)
        case .set(let isMutable): return try set(members, isMutable)
        case .orderedSet(let isMutable): return try orderedSet(members, isMutable)
        case .string(let isMutable):
            guard let text = try value("NS.string", members) as? NSString else { throw damage("a text is missing") }
            return isMutable ? NSMutableString(string: text as String) : text
        case .data(let isMutable):
            guard let data = try value("NS.data", members) as? NSData else { throw damage("the bytes of data are missing") }
            return isMutable ? NSMutableData(data: data as Data) : data
        case .date:
            guard let time = try value("NS.time", members) as? NSNumber else { throw damage("a date has no time") }
            return NSDate(timeIntervalSinceReferenceDate: time.doubleValue)
        case .url:
            guard let text = try value("NS.relative", members) as? NSString else { throw damage("a URL has no text") }
            let base = try value("NS.base", members)
            guard base == nil || base is NSURL,
                // Foundation would stop the program when it makes a `URL` of an `NSURL` that is refused here.
                let url = URL(string: text as String, relativeTo: (base as? NSURL).map { $0 as URL })
            else { throw damage("“\(text)” is not a URL") }
            return url as NSURL
        case .uuid:
            guard let bytes = try value("NS.uuidbytes", members) as? NSData, bytes.length == 16 else {
                throw damage("a UUID does not have 16 bytes")
            }
            return UUID(uuid: (bytes as Data).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }) as NSUUID
        case .null: return NSNull()
        case .decimal: return try decimal(members)
        }
    }

    // Collections are made recursively. Separate functions for them need less of the stack.

    private func array(_ members: [String: Int], _ isMutable: Bool) throws -> NSArray {
        let objects = try objects("NS.objects", members).map(\.object)
        return isMutable ? NSMutableArray(array: objects) : NSArray(array: objects)
    }

    private func dictionary(_ members: [String: Int], _ isMutable: Bool) throws -> Any {
        let keys = try objects("NS.keys", members)
        let values = try objects("NS.objects", members)
        guard keys.count == values.count else {
            throw damage("a dictionary has \(keys.count) keys for \(values.count) values")
        }
        // Foundation stops the program when it makes a Swift dictionary from one with such keys.
        guard !keys.contains(where: { $0.object is NSArray || $0.object is NSDictionary }) else {
            throw damage("a collection is the key of a dictionary")
        }
        let result = NSMutableDictionary()
        for (key, value) in zip(try hashable(keys), values) { result.setObject(value.object, forKey: key) }
        return isMutable ? result : result.copy()
    }

    private func set(_ members: [String: Int], _ isMutable: Bool) throws -> NSSet {
        let objects = try hashable(try objects("NS.objects", members)).map(\.base)
        return isMutable ? NSMutableSet(array: objects) : NSSet(array: objects)
    }

    private func orderedSet(_ members: [String: Int], _ isMutable: Bool) throws -> NSOrderedSet {
        let objects = try hashable(try orderedObjects(members)).map(\.base)
        return isMutable ? NSMutableOrderedSet(array: objects) : NSOrderedSet(array: objects)
    }

    /// A member: an object, or a value inside the object itself. Nil if it is nil or missing.
    private func value(_ key: String, _ members: [String: Int]) throws -> Any? {
        guard let index = members[key] else { return nil }
        switch list.element(index) {
        case .reference(let number)?: return try object(number)
        case .text(let text)?: return NSString(string: text)
        case .bool(let value)?: return NSNumber(value: value)
        case .integer(let value)?: return NSNumber(value: value)
        case .unsigned(let value)?: return NSNumber(value: value)
        case .real(let value)?: return NSNumber(value: value)
        case .date(let value)?: return NSDate(timeIntervalSinceReferenceDate: value)
        case .data(let range)?: return NSData(data: list.data(range))
        case .array?, .dictionary?, nil: throw damage("the value of “\(key)” can't be read")
        }
    }

    private func objects(_ key: String, _ members: [String: Int]) throws -> [(object: Any, size: Int)] {
        guard let index = members[key], case .array(let elements)? = list.element(index) else {
            throw damage("a collection has no “\(key)”")
        }
        var result: [(object: Any, size: Int)] = []
        for place in 0..<elements.count { result.append(try member(list.index(elements, place))) }
        return result
    }

    /// Foundation's archiver gives each member of an ordered set a key of its own.
    private func orderedObjects(_ members: [String: Int]) throws -> [(object: Any, size: Int)] {
        if members["NS.objects"] != nil { return try objects("NS.objects", members) }
        var result: [(object: Any, size: Int)] = []
        while let index = members["NS.object.\(result.count)"] { result.append(try member(index)) }
        return result
    }

    private func member(_ index: Int?) throws -> (object: Any, size: Int) {
        guard let index, case .reference(let number)? = list.element(index) else {
            throw damage("a collection's member is not an object")
        }
        let before = size
        guard let object = try self.object(number) else { throw damage("a collection's member is nil") }
        return (object, size - before)
    }

    /// The members of a set, or a dictionary's keys.
    private func hashable(_ objects: [(object: Any, size: Int)]) throws -> [AnyHashable] {
        var counts: [Int: Int] = [:]
        return try objects.map { object, size in
            // Foundation's hash of a decimal number never returns.
            guard let object = object as? NSObject, !(object is NSDecimalNumber) else {
                throw damage("a member of a set can't be in a set")
            }
            let hash = object.hash
            let count = counts[hash, default: 0]
            counts[hash] = count + 1
            if count > 0 { try payForCollision(with: count, size: size) }
            return AnyHashable(object)
        }
    }

    private func decimal(_ members: [String: Int]) throws -> NSDecimalNumber {
        func number(_ key: String) throws -> Int {
            guard let number = try self.value(key, members) as? NSNumber else {
                throw damage("a decimal number has no “\(key)”")
            }
            return number.intValue
        }
        guard let bytes = try self.value("NS.mantissa", members) as? NSData else {
            throw damage("a decimal number has no mantissa")
        }
        let number = try ArchivedDecimal(
            mantissa: bytes as Data, length: number("NS.length"), exponent: number("NS.exponent"),
            isNegative: number("NS.negative") != 0,
            // 1 stands for little endian, 2 for big endian.
            isBigEndian: bytes.length > 0 && number("NS.mantissa.bo") == 2)
        guard let value = number.value else { throw damage("a decimal number is out of range") }
        return NSDecimalNumber(decimal: value)
    }
}
