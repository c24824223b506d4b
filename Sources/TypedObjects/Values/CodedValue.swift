import DataModel
import Foundation
public import ObjectGraph

/// Stores `Codable` values as JSON in a binary or string attribute.
enum CodedValue {
    static func read<Value: Decodable>(_ type: Value.Type, _ object: NSManagedObject, _ slot: Int) throws(PropertyValueError)
        -> Value
    {
        do throws(Failure) {
            return try decode(type, object, slot)
        } catch {
            throw PropertyValueError(object, storedName: object.propertyName(atSlot: slot), type: type, reason: error.reason)
        }
    }

    static func problem<Value: Decodable>(_ type: Value.Type, _ object: NSManagedObject, _ slot: Int) -> PropertyValueError
        .Reason?
    {
        do throws(Failure) {
            _ = try decode(type, object, slot)
            return nil
        } catch {
            return error.reason
        }
    }

    private struct Failure: Error {
        let reason: PropertyValueError.Reason
    }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ object: NSManagedObject, _ slot: Int) throws(Failure)
        -> Value
    {
        guard let data = bytes(object, slot) else { throw Failure(reason: .missing) }
        return try decode(type, data)
    }

    private static func bytes(_ object: NSManagedObject, _ slot: Int) -> Data? {
        let isText = object.attributeType(atSlot: slot) == .stringAttributeType
        return isText ? object._isNil(slot) ? nil : Data(object._string(slot).utf8) : object._dataIfSet(slot)
    }

    private static func isEqual<Value: Equatable>(_ value: Value, _ other: Any) -> Bool { other as? Value == value }

    private static func decode<Value: Decodable>(_ type: Value.Type, _ data: Data) throws(Failure) -> Value {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw Failure(reason: .undecodable("\(error)"))
        }
    }

    /// Writes a value. If it equals the present value, the bytes stay as they are. An equal value can have other bytes, because a
    /// set, for example, has no order.
    static func write<Value: Codable>(_ value: Value, _ object: NSManagedObject, _ slot: Int) {
        let encoder = JSONEncoder()
        // The same value has the same bytes, so setting it again is not a change.
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        do {
            var data = try encoder.encode(value)
            if let value = value as? any Equatable, let present = bytes(object, slot), present != data,
                let other = try? decode(Value.self, present), isEqual(value, other)
            {
                data = present
            }
            if object.attributeType(atSlot: slot) == .stringAttributeType {
                object._setString(slot, String(decoding: data, as: UTF8.self))
            } else {
                object._setData(slot, data)
            }
        } catch {
            // A setter can't throw. Only an `encode(to:)` of the program itself can fail here.
            fatalError(
                "\(Swift.type(of: object)).\(object.propertyName(atSlot: slot)): a \(Value.self) can't be encoded: \(error)")
        }
    }
}

extension NSManagedObject {
    /// Reads a required attribute that is stored as JSON. Stops the program if the value is nil, or if the data can't be decoded.
    @_disfavoredOverload
    public final func _getCoded<Value: Codable>(_ name: String, _ slot: Int) -> Value {
        _noteReading(slot)
        do throws(PropertyValueError) {
            return try CodedValue.read(Value.self, self, slot)
        } catch {
            return AccessFailure.valueInstead(self, slot, error, NeutralValue.ofDecodable(Value.self))
        }
    }

    /// Reads an optional attribute that is stored as JSON. Data that can't be decoded reads as nil, and `value(of:)` throws an
    /// error for it.
    public final func _getCoded<Value: Codable>(_ name: String, _ slot: Int) -> Value? {
        _noteReading(slot)
        return _isNil(slot) ? nil : try? CodedValue.read(Value.self, self, slot)
    }

    /// Sets an attribute that is stored as JSON.
    public final func _setCoded<Value: Codable>(_ name: String, _ slot: Int, _ value: Value) {
        CodedValue.write(value, self, slot)
    }

    /// Sets an optional attribute that is stored as JSON.
    public final func _setCoded<Value: Codable>(_ name: String, _ slot: Int, _ value: Value?) {
        if let value { CodedValue.write(value, self, slot) } else { _setNil(slot) }
    }
}
