import DataModel
import Foundation
import ObjectGraph

/// Makes values for required properties that can't be read, in contexts that remember the failure and do not stop the program.
enum NeutralValue {
    /// The value for the raw type's neutral value, or else the first case.
    static func of<Value: RawRepresentable>(_ type: Value.Type) -> Value? where Value.RawValue: AttributeValue {
        if let value = Value.RawValue._unreadValue.flatMap(Value.init(rawValue:)) { return value }
        if let type = type as? any CaseIterable.Type, let first = firstCase(of: type) as? Value { return first }
        return firstCase(of: type)
    }

    private static func firstCase<Value: CaseIterable>(of type: Value.Type) -> Value? { type.allCases.first }

    /// The first case of an enumeration that does not list its cases.
    private static func firstCase<Value>(of type: Value.Type) -> Value? {
        // Sound: a trivial type of one byte is an enumeration, whose cases are numbered from zero, or a `Bool` or an integer, or
        // a struct with one of these. Each has a value whose byte is zero.
        guard _isPOD(type), MemoryLayout<Value>.size == 1 else { return nil }
        return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { bytes in
            bytes.storeBytes(of: 0, as: UInt8.self)
            return bytes.load(as: Value.self)
        }
    }

    /// The value that is decoded from zeros and empty collections.
    static func ofDecodable<Value: Decodable>(_ type: Value.Type) -> Value? { try? Value(from: NeutralDecoder(depth: 0)) }

    /// A neutral value of any type. It is nil if there is no way to make one.
    static func ofAny<Value>(_ type: Value.Type) -> Value? {
        if let type = type as? any AttributeValue.Type, let value = neutral(type) as? Value { return value }
        if let collection = emptyCollection(type) { return collection }
        if let type = type as? any Decodable.Type { return decoded(type) as? Value }
        switch type {
        case is NSArray.Type: return NSArray() as? Value
        case is NSDictionary.Type: return NSDictionary() as? Value
        case is NSSet.Type: return NSSet() as? Value
        case is NSObject.Type: return NSObject() as? Value
        default: return nil
        }
    }

    /// An empty array, dictionary or set. It is nil for other types.
    static func emptyCollection<Value>(_ type: Value.Type) -> Value? {
        if let type = type as? any RangeReplaceableCollection.Type { return empty(type) as? Value }
        if let type = type as? any ExpressibleByDictionaryLiteral.Type { return emptyDictionary(type) as? Value }
        if let type = type as? any SetAlgebra.Type { return emptySet(type) as? Value }
        return nil
    }

    private static func emptySet<Value: SetAlgebra>(_ type: Value.Type) -> Value { type.init() }
    private static func neutral<Value: AttributeValue>(_ type: Value.Type) -> Value? { type._unreadValue }
    private static func empty<Value: RangeReplaceableCollection>(_ type: Value.Type) -> Value { type.init() }
    private static func emptyDictionary<Value: ExpressibleByDictionaryLiteral>(_ type: Value.Type) -> Value { [:] }
    private static func decoded<Value: Decodable>(_ type: Value.Type) -> Value? { ofDecodable(type) }
}

/// Decodes zeros, nils and empty collections for every type.
private struct NeutralDecoder: Decoder, SingleValueDecodingContainer, UnkeyedDecodingContainer {
    /// How many values enclose the present one. A type that needs a value of itself has no neutral value.
    let depth: Int
    let codingPath: [any CodingKey] = []
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let count: Int? = 0
    let isAtEnd = true
    let currentIndex = 0

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(Keyed<Key>(decoder: self))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { self }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { true }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        if let type = type as? any AttributeValue.Type, let value = neutral(type) as? Value { return value }
        guard depth < 64 else {
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "\(type) needs itself"))
        }
        return try Value(from: NeutralDecoder(depth: depth + 1))
    }
    private func neutral<Value: AttributeValue>(_ type: Value.Type) -> Value? { type._unreadValue }

    func decode(_ type: Bool.Type) -> Bool { false }
    func decode(_ type: String.Type) -> String { "" }
    func decode(_ type: Double.Type) -> Double { 0 }
    func decode(_ type: Float.Type) -> Float { 0 }
    func decode(_ type: Int.Type) -> Int { 0 }
    func decode(_ type: Int8.Type) -> Int8 { 0 }
    func decode(_ type: Int16.Type) -> Int16 { 0 }
    func decode(_ type: Int32.Type) -> Int32 { 0 }
    func decode(_ type: Int64.Type) -> Int64 { 0 }
    func decode(_ type: UInt.Type) -> UInt { 0 }
    func decode(_ type: UInt8.Type) -> UInt8 { 0 }
    func decode(_ type: UInt16.Type) -> UInt16 { 0 }
    func decode(_ type: UInt32.Type) -> UInt32 { 0 }
    func decode(_ type: UInt64.Type) -> UInt64 { 0 }

    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> { container(keyedBy: type) }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }
    func superDecoder() -> any Decoder { self }

    private struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let decoder: NeutralDecoder
        let codingPath: [any CodingKey] = []
        let allKeys: [Key] = []

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) -> Bool { true }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value { try decoder.decode(type) }
        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type, forKey key: Key) -> KeyedDecodingContainer<Nested> {
            decoder.container(keyedBy: type)
        }
        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { decoder }
        func superDecoder() -> any Decoder { decoder }
        func superDecoder(forKey key: Key) -> any Decoder { decoder }
    }
}
