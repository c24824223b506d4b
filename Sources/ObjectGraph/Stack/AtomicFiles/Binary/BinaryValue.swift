import DataModel
import Foundation
import Storage

/// Values of attributes in binary stores.
///
/// | Type | Bytes |
/// | --- | --- |
/// | whole numbers | a number; a negative one is -1 minus the number, both times two, and one more |
/// | Boolean | one byte, 0 or 1 |
/// | Double, Float, Date | eight bytes, the lowest first; a date as seconds since 2001 |
/// | String, URI, Decimal | a text |
/// | UUID | sixteen bytes |
/// | Binary, Transformable | the count of bytes, and the bytes |
enum BinaryValue {
    /// Whether a value that was written for one type can be one of another.
    static func fits(_ written: NSAttributeType, _ type: NSAttributeType) -> Bool {
        let wholeNumbers: [NSAttributeType] = [.integer16AttributeType, .integer32AttributeType, .integer64AttributeType]
        return written == type || wholeNumbers.contains(written) && wholeNumbers.contains(type)
    }

    /// - Returns: Whether the value is of the type.
    static func write(_ value: Any, _ type: NSAttributeType, to writer: inout BinaryStoreWriter) -> Bool {
        switch (type, value) {
        case (.integer16AttributeType, let number as NSNumber), (.integer32AttributeType, let number as NSNumber),
            (.integer64AttributeType, let number as NSNumber):
            let number = number.int64Value
            writer.add(UInt64(bitPattern: number << 1 ^ number >> 63))
        case (.booleanAttributeType, let number as NSNumber): writer.data.append(number.boolValue ? 1 : 0)
        case (.doubleAttributeType, let number as NSNumber), (.floatAttributeType, let number as NSNumber):
            writer.add(number.doubleValue)
        case (.dateAttributeType, let date as Date): writer.add(date.timeIntervalSinceReferenceDate)
        case (.stringAttributeType, let text as String): writer.add(text)
        case (.URIAttributeType, let url as URL): writer.add(url.absoluteString)
        case (.decimalAttributeType, let number as NSDecimalNumber): writer.add(number.decimalValue.description)
        case (.UUIDAttributeType, let uuid as UUID): withUnsafeBytes(of: uuid.uuid) { writer.data.append(contentsOf: $0) }
        case (.binaryDataAttributeType, let data as Data): writer.add(data)
        case (.transformableAttributeType, let bytes as StoredBytes): writer.add(bytes.data)
        default: return false
        }
        return true
    }

    /// - Parameter type: That of the attribute in the model, for which the value was written.
    /// - Returns: Nil for a value that the type does not have.
    static func read(_ type: NSAttributeType, _ bytes: inout BinaryBytes) throws -> Any? {
        switch type {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            let bits = try bytes.number()
            let number = Int64(bitPattern: bits >> 1) ^ -Int64(bitPattern: bits & 1)
            guard ValueDomain.integers(type).contains(number) else { return nil }
            return ModelText.value("\(number)", of: .init(type))
        case .booleanAttributeType:
            let byte = try bytes.byte()
            return byte <= 1 ? NSNumber(value: byte == 1) : nil
        case .doubleAttributeType:
            let number = try bytes.double()
            return number.isNaN ? nil : NSNumber(value: number)
        case .floatAttributeType:
            let number = try bytes.double()
            return number.isNaN || ValueDomain.isBeyondFloat(number) ? nil : NSNumber(value: Float(number))
        case .dateAttributeType:
            let seconds = try bytes.double()
            return seconds.isFinite ? Date(timeIntervalSinceReferenceDate: seconds) : nil
        case .stringAttributeType: return try bytes.text()
        case .decimalAttributeType, .URIAttributeType: return ModelText.value(try bytes.text(), of: .init(type))
        case .UUIDAttributeType:
            return try bytes.bytes(16).withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
        case .binaryDataAttributeType: return try bytes.data()
        case .transformableAttributeType: return StoredBytes(data: try bytes.data())
        case .undefinedAttributeType, .objectIDAttributeType, .compositeAttributeType: return nil
        }
    }
}
