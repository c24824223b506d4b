import Foundation

/// Follows a path of keys and collection operators from a value.
struct KeyPathWalk {
    private let keys: [KeyStep]
    private let collectionOperator: CollectionOperator?
    /// The operator's own path: what is right of it.
    private let rest: [String]
    /// A name that starts with `@` and is not an operator.
    private let unknown: String?
    /// Whether values would nest beyond what the stack holds: each key over a to-many relationship, and each operator, is a
    /// level.
    private let isTooLong: Bool
    private static let greatestOperatorCount = 32

    init(_ path: ArraySlice<String>) {
        let index = path.firstIndex { $0.hasPrefix("@") } ?? path.endIndex
        isTooLong =
            path.count > TreeDepth.greatestKeyCount
            || index < path.endIndex && path[index...].count { $0.hasPrefix("@") } > Self.greatestOperatorCount
        keys = path[..<index].map(KeyStep.init)
        rest = Array(path[index...].dropFirst())
        let name = index < path.endIndex ? path[index] : nil
        collectionOperator = name.flatMap(CollectionOperator.init)
        unknown = collectionOperator == nil ? name : nil
    }

    var isEmpty: Bool { keys.isEmpty && collectionOperator == nil && unknown == nil }

    func value(from start: PredicateValue) throws -> PredicateValue {
        let (value, isSpread) = try plainValue(from: start)
        if let unknown { throw InvalidPredicateError(.key, "There is no collection operator \"\(unknown)\"") }
        guard let collectionOperator else { return value }
        let elements: [PredicateValue]
        switch value {
        case .collection(let collection):
            elements = isSpread && collectionOperator.isOfValues ? collection.flattened : collection.elements
        case .null: elements = []  // No related object has no related objects either.
        default: throw InvalidPredicateError(.type, "\(collectionOperator.rawValue) needs a collection, not \(value.typeName)")
        }
        // What follows @count can only be a mistake; it is read from the number and reported there.
        if collectionOperator == .count { return try KeyPathWalk(rest[...]).value(from: .integer(Int64(elements.count))) }
        let walk = KeyPathWalk(rest[...])
        guard !walk.isEmpty else { return try collectionOperator.value(of: elements) }
        let values = try elements.map(walk.value)
        guard collectionOperator.isOfValues else { return try collectionOperator.value(of: values) }
        return try collectionOperator.value(of: ValueCollection(kind: .array, elements: values).flattened)
    }

    /// What the keys before an operator lead to, and whether a key was followed from the elements of a collection: then
    /// collections in the value are parts of one.
    func plainValue(from start: PredicateValue) throws -> (value: PredicateValue, isSpread: Bool) {
        guard !isTooLong else {
            throw InvalidPredicateError(
                .nesting, "A key path that begins with \"\(keys.first?.key ?? rest.first ?? "")\" is too long")
        }
        var value = start
        var isSpread = false
        for key in keys {
            if case .collection = value { isSpread = true }
            value = try key.value(of: value)
        }
        return (value, isSpread)
    }

    /// The value of one key. Nil has nil for every key, a collection the collection of its elements' values.
    static func value(of value: PredicateValue, forKey key: String) throws -> PredicateValue {
        if key == "self" { return value }
        switch value {
        case .null: return .null
        case .object(let object):
            if let reading = object as? any PredicateKeyReading { return try reading.predicateValue(forKey: key) }
            if let coding = object as? any KeyValueCoding { return PredicateValue(coding.value(forKey: key)).asRead }
        case .other(let box):
            switch box.value {
            case let dictionary as any UntypedDictionary: return PredicateValue(dictionary.untypedValue(forKey: key)).asRead
            case let dictionary as NSDictionary: return PredicateValue(dictionary.object(forKey: key)).asRead
            case let coding as any KeyValueCoding: return PredicateValue(coding.value(forKey: key)).asRead
            default: break
            }
        case .collection(let collection):
            let elements = try collection.elements.map { try Self.value(of: $0, forKey: key) }
            return .collection(ValueCollection(kind: collection.kind, elements: elements))
        default:
            if let result = FoundationKeys.value(of: value, forKey: key) { return result }
        }
        throw undefinedKey(key, value)
    }

    private static func undefinedKey(_ key: String, _ value: PredicateValue) -> InvalidPredicateError {
        switch value {
        case .object, .other:
            InvalidPredicateError(
                .key, "\(value.typeName) has no values by key, and none for \"\(key)\"",
                suggestion: "Let the type conform to KeyValueCoding")
        default: InvalidPredicateError(.key, "\(value.typeName) has no value for the key \"\(key)\"")
        }
    }
}

/// The values by key that Foundation's own classes have on Apple's systems, as far as predicates use them.
package enum FoundationKeys {
    package static func value(of value: PredicateValue, forKey key: String) -> PredicateValue? {
        switch (value, key) {
        case (.string(let text), "length"): .integer(Int64(Text.length(text)))
        case (.string(let text), "uppercaseString"): .string(text.uppercased())
        case (.string(let text), "lowercaseString"): .string(text.lowercased())
        case (.string(let text), "capitalizedString"): .string(text.capitalized)
        case (.string(let text), "intValue"), (.string(let text), "integerValue"), (.string(let text), "longLongValue"):
            .integer((text as NSString).longLongValue)
        case (.string(let text), "doubleValue"), (.string(let text), "floatValue"): .double((text as NSString).doubleValue)
        case (.string(let text), "boolValue"): .boolean((text as NSString).boolValue)
        case (.string, "description"): value
        case (.date(let date), "timeIntervalSinceReferenceDate"): .double(date.timeIntervalSinceReferenceDate)
        case (.date(let date), "timeIntervalSince1970"): .double(date.timeIntervalSince1970)
        case (.date(let date), "timeIntervalSinceNow"): .double(date.timeIntervalSinceNow)
        case (.data(let data), "length"): .integer(Int64(data.count))
        case (.uuid(let uuid), "UUIDString"): .string(uuid.uuidString)
        case (.url(let url), "absoluteString"): .string(url.absoluteString)
        case (.url(let url), "path"): .string(url.path)
        case (.url(let url), "host"): PredicateValue(url.host)
        case (.url(let url), "scheme"): PredicateValue(url.scheme)
        case (.url(let url), "lastPathComponent"): .string(url.lastPathComponent)
        case (.url(let url), "pathExtension"): .string(url.pathExtension)
        default: value.isNumber ? number(value, key) : nil
        }
    }

    private static func number(_ value: PredicateValue, _ key: String) -> PredicateValue? {
        switch key {
        case "stringValue", "description": CastType.string.cast(value)
        case "boolValue": .boolean(value.doubleValue != 0)
        case "doubleValue", "floatValue": .double(value.doubleValue)
        case "intValue", "integerValue", "longLongValue":
            Int64(exactly: value.doubleValue.rounded(.towardZero)).map(PredicateValue.integer) ?? value
        default: nil
        }
    }
}
