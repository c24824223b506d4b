package import Foundation

/// A keyed archive as what it is made of: objects with members, and references among them, which may go in circles.
///
/// No class is made: the reader decides what each object means by the name of its class. Objects are decoded when they are
/// asked for, each once. Archives are binary or XML property lists.
package final class ArchiveGraph {
    /// A member of an object, or an object itself.
    package enum Value {
        /// The reference to nothing.
        case null
        case bool(Bool)
        case integer(Int64)
        case real(Double)
        /// Seconds since the reference date.
        case date(Double)
        case text(String)
        case data(Data)
        /// Several values inside of an object.
        case list([Value])
        /// An object by its number. ``resolve(_:)`` never gives it.
        case reference(Int)
        case object(Object)
    }

    /// An object that has a class.
    package final class Object {
        /// The place in the archive, which tells objects apart.
        package let number: Int
        package let className: String
        fileprivate let members: [String: Value]

        /// The keys that it has values for.
        package var keys: some Collection<String> { members.keys }

        fileprivate init(number: Int, className: String, members: [String: Value]) {
            (self.number, self.className, self.members) = (number, className, members)
        }
    }

    /// The greatest archive that is read.
    private static let greatestSize = 64 << 20
    /// How many values are decoded at most, whatever the size.
    private static let greatestCount = 4_000_000

    private enum Source {
        case binary(BinaryPropertyList, BinaryPropertyList.Elements)
        case plain([Any])
    }

    private let source: Source
    private let count: Int
    private let rootReference: Value
    private var known: [Int: Value] = [:]
    private var classNames: [Int: String] = [:]
    /// Texts by their place in the file: many objects refer to the same one.
    private var texts: [Int: String] = [:]
    /// Values that may still be decoded. A file whose members share large parts could otherwise grow without bound.
    private var budget: Int
    /// How often values may still be followed. Parts that refer to the same large parts would be walked through again and again.
    private var visits: Int

    /// - Throws: `KeyedArchive.Failure` if the bytes are not a keyed archive.
    package init(_ data: Data) throws {
        guard data.count <= Self.greatestSize else {
            throw KeyedArchive.Failure(reason: "it is larger than \(Self.greatestSize >> 20) MB")
        }
        budget = min(data.count, Self.greatestCount) + 1000
        if let list = BinaryPropertyList(data) {
            guard let archive = list.dictionary(list.top), let archiver = archive["$archiver"],
                case .text("NSKeyedArchiver")? = list.element(archiver),
                let objects = archive["$objects"], case .array(let elements)? = list.element(objects),
                let top = archive["$top"].flatMap(list.dictionary), let root = top["root"],
                case .reference(let number)? = list.element(root)
            else { throw Self.notAnArchive }
            source = .binary(list, elements)
            count = elements.count
            rootReference = .reference(number)
        } else {
            guard !data.starts(with: BinaryPropertyList.header),
                let archive = PropertyListBytes.value(Self.withPlainReferences(data)) as? [String: Any],
                archive["$archiver"] as? String == "NSKeyedArchiver", let objects = archive["$objects"] as? [Any],
                let top = archive["$top"] as? [String: Any], let root = top["root"].flatMap(Self.reference)
            else { throw Self.notAnArchive }
            source = .plain(objects)
            count = objects.count
            rootReference = .reference(root)
        }
        visits = 2_000_000 + 32 * count
    }

    private static var notAnArchive: KeyedArchive.Failure { KeyedArchive.Failure(reason: "it is not a keyed archive") }

    private func damage(_ reason: String) -> KeyedArchive.Failure {
        KeyedArchive.Failure(reason: "the archive is damaged: \(reason)")
    }

    // MARK: Objects

    /// The object that holds all others.
    package func root() throws -> Value { try resolve(rootReference) }

    /// The member of an object, followed to the object that it refers to. Nil if there is none.
    package func member(_ key: String, of object: Object) throws -> Value? { try object.members[key].map(resolve) }

    /// What a value is, or the object that it refers to.
    package func resolve(_ value: Value) throws -> Value {
        visits -= 1
        guard visits >= 0 else { throw damage("it would become too large") }
        guard case .reference(let number) = value else { return value }
        if let value = known[number] { return value }
        guard number >= 0, number < count else { throw damage("there is no object \(number)") }
        let made = try decode(number)
        known[number] = made
        return made
    }

    private func decode(_ number: Int) throws -> Value {
        switch source {
        case .binary(let list, let elements):
            guard let index = list.index(elements, number) else { throw damage("there is no object \(number)") }
            guard case .dictionary(let keys, let values)? = list.element(index) else {
                return Self.nilAsNull(try value(index, in: list, depth: 0))
            }
            var members: [String: Value] = [:]
            members.reserveCapacity(keys.count)
            try spend(keys.count)
            for place in 0..<keys.count {
                guard let keyIndex = list.index(keys, place), let valueIndex = list.index(values, place),
                    case .text(let key) = try value(keyIndex, in: list, depth: 0)
                else { throw damage("a key of object \(number) is not a text") }
                guard members.updateValue(try value(valueIndex, in: list, depth: 0), forKey: key) == nil else {
                    throw damage("object \(number) has “\(key)” twice")
                }
            }
            return try object(number, members)
        case .plain(let objects):
            guard let content = objects[number] as? [String: Any] else {
                return Self.nilAsNull(try value(objects[number], depth: 0))
            }
            try spend(content.count)
            return try object(number, content.mapValues { try value($0, depth: 0) })
        }
    }

    /// The object that stands for nothing. Inside of an object it is a text like any other.
    private static func nilAsNull(_ value: Value) -> Value { if case .text("$null") = value { .null } else { value } }

    private func object(_ number: Int, _ members: [String: Value]) throws -> Value {
        guard case .reference(let classNumber)? = members["$class"] else { throw damage("object \(number) has no class") }
        if let name = classNames[classNumber] { return .object(Object(number: number, className: name, members: members)) }
        let name = try className(classNumber)
        guard let name else { throw damage("the class of object \(number) has no name") }
        classNames[classNumber] = name
        return .object(Object(number: number, className: name, members: members))
    }

    private func className(_ number: Int) throws -> String? {
        guard number >= 0, number < count else { throw damage("there is no object \(number)") }
        switch source {
        case .binary(let list, let elements):
            guard let index = list.index(elements, number), let name = list.dictionary(index)?["$classname"],
                case .text(let text)? = list.element(name)
            else { return nil }
            return text
        case .plain(let objects): return (objects[number] as? [String: Any])?["$classname"] as? String
        }
    }

    private func spend(_ count: Int) throws {
        budget -= count
        guard budget >= 0 else { throw damage("it would become too large") }
    }

    // MARK: Values

    private func value(_ index: Int, in list: BinaryPropertyList, depth: Int) throws -> Value {
        if let text = texts[index] { return .text(text) }
        switch list.element(index) {
        case .text(let text)?:
            texts[index] = text
            return .text(text)
        case .bool(let value)?: return .bool(value)
        case .integer(let value)?: return .integer(value)
        case .unsigned(let value)?: return .real(Double(value))
        case .real(let value)?: return .real(value)
        case .date(let value)?: return .date(value)
        case .data(let range)?:
            try spend(range.count / 64)
            return .data(list.data(range))
        case .reference(let number)?: return number == 0 ? .null : .reference(number)
        case .array(let elements)?:
            guard depth < 4 else { throw damage("its lists are nested too deeply") }
            try spend(elements.count)
            return .list(
                try (0..<elements.count).map { place in
                    guard let index = list.index(elements, place) else { throw damage("a list has a member that is not there") }
                    return try value(index, in: list, depth: depth + 1)
                })
        case .dictionary?, nil: throw damage("it has a value that can't be read")
        }
    }

    /// A value of an XML property list, where a dictionary with one key stands for a reference.
    private func value(_ content: Any, depth: Int) throws -> Value {
        switch content {
        case let text as String: return .text(text)
        case let data as Data: return .data(data)
        case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
        case let number as NSNumber:
            switch String(cString: number.objCType) {
            case "c", "B": return .bool(number.boolValue)
            case "d", "f": return .real(number.doubleValue)
            default: return .integer(number.int64Value)
            }
        case let values as [Any]:
            guard depth < 4 else { throw damage("its lists are nested too deeply") }
            try spend(values.count)
            return .list(try values.map { try value($0, depth: depth + 1) })
        default:
            guard let number = Self.reference(content) else { throw damage("it has a value that can't be read") }
            return number == 0 ? .null : .reference(number)
        }
    }

    private static func reference(_ content: Any) -> Int? {
        guard let members = content as? [String: Any], members.count == 1 else { return nil }
        return members[referenceKey] as? Int
    }

    private static let referenceKey = "CF-UID"

    /// Foundation's reader makes objects of a class of its own of dictionaries with the key "CF$UID".
    private static func withPlainReferences(_ data: Data) -> Data {
        guard let text = String(validating: data, as: UTF8.self) else { return data }
        return Data(text.replacing("<key>CF$UID</key>", with: "<key>\(referenceKey)</key>").utf8)
    }
}
