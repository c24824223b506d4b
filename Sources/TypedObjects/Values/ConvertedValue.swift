import DataModel
import Foundation
public import ObjectGraph
import Predicates

/// Converts the values of `@Managed` properties whose Swift type is not the type of the model's attribute: an `Int16` for an
/// Integer 32, a `Bool` for a number, any type for a transformable attribute. It converts the values of key-value coding, as
/// Apple's accessors do.
enum ConvertedValue {
    /// Whether values of a property can be converted to the Swift type. The property is an attribute or a fetched property.
    static func isPossible(_ type: Any.Type, _ property: NSPropertyDescription) -> Bool {
        if property is NSFetchedPropertyDescription {
            let type = plain(type)
            return type == NSArray.self || (type as? any EachCollection.Type)?.isOrdered == true
        }
        return (property as? NSAttributeDescription).map { isPossible(type, $0.attributeType) } ?? false
    }

    private static func isPossible(_ type: Any.Type, _ attribute: NSAttributeType) -> Bool {
        let type = plain(type)
        if type is NSManagedObject.Type || (type as? any EachCollection.Type)?.elementType is NSManagedObject.Type {
            return false
        }
        switch attribute {
        case .transformableAttributeType, .undefinedAttributeType: return true
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType, .floatAttributeType,
            .decimalAttributeType, .booleanAttributeType:
            return type is any ConvertedNumber.Type || type is NSNumber.Type || type == Any.self
        case .dateAttributeType: return type == Double.self || type == Any.self
        case .compositeAttributeType: return type == [String: Any].self || type == NSDictionary.self || type == Any.self
        default: return type == Any.self
        }
    }

    /// Whether no conversion is needed, because slots of the attribute's type can be read and written as the Swift type although
    /// its width differs.
    static func needsNone(_ type: any AttributeValue.Type, _ attribute: NSAttributeType) -> Bool {
        switch attribute {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            plain(type) is any FixedWidthInteger.Type || plain(type) == Bool.self
        case .doubleAttributeType: plain(type) == Float.self
        case .dateAttributeType: plain(type) == Double.self
        default: false
        }
    }

    /// The type without `Optional`, or its raw type if it has one.
    private static func plain(_ type: Any.Type) -> Any.Type {
        let wrapped = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard let raw = wrapped as? any RawRepresentable.Type, !(wrapped is any AttributeValue.Type) else { return wrapped }
        return rawType(raw)
    }

    private static func rawType<Value: RawRepresentable>(_ type: Value.Type) -> Any.Type { Value.RawValue.self }

    // MARK: Reading

    /// The value converted to a type. It is nil if the value can't be converted.
    static func make<Value>(_ type: Value.Type, of found: Any) -> Value? {
        let wrapped = (type as? any OptionalType.Type)?.wrappedType ?? type
        if let number = found as? NSNumber {
            if let known = wrapped as? any ConvertedNumber.Type { return known.init(converting: number) as? Value }
            if wrapped == NSDecimalNumber.self { return Decimal(converting: number).map(NSDecimalNumber.init) as? Value }
        }
        if let date = found as? Date, wrapped == Double.self { return date.timeIntervalSinceReferenceDate as? Value }
        if let raw = wrapped as? any RawRepresentable.Type, let value = represented(raw, found) as? Value { return value }
        return found as? Value
    }

    private static func represented<Value: RawRepresentable>(_ type: Value.Type, _ found: Any) -> Value? {
        make(Value.RawValue.self, of: found).flatMap(Value.init(rawValue:))
    }

    /// The value to use if there is none, as with Apple's accessors: zero, false, or an empty text or collection. It is nil if
    /// the type has no such value.
    static func neutral<Value>(_ type: Value.Type) -> Value? {
        if let optional = type as? any OptionalType.Type { return optional.noValue as? Value }
        if let known = type as? any AttributeValue.Type { return neutralValue(known) as? Value }
        if let number = type as? any ConvertedNumber.Type { return number.init(converting: 0) as? Value }
        if let raw = type as? any RawRepresentable.Type { return neutralRaw(raw) as? Value }
        return NeutralValue.emptyCollection(type)
    }

    private static func neutralValue<Value: AttributeValue>(_ type: Value.Type) -> Value? { type._neutralValue }

    private static func neutralRaw<Value: RawRepresentable>(_ type: Value.Type) -> Value? {
        neutral(Value.RawValue.self).flatMap(Value.init(rawValue:))
    }

    // MARK: Writing

    /// The value for key-value coding.
    static func object<Value>(_ value: Value, for attribute: NSAttributeType?) -> Any? {
        guard let value = Optional<Any>.flattening(value) else { return nil }
        switch attribute {
        case .transformableAttributeType, .undefinedAttributeType: return value
        case .dateAttributeType: return (value as? Double).map { Date(timeIntervalSinceReferenceDate: $0) } ?? value
        default:
            if let number = value as? any ConvertedNumber { return number.number }
            if let raw = value as? any RawRepresentable { return object(raw.rawValue, for: attribute) }
            return value
        }
    }
}

extension NSManagedObject {
    /// Reads a property whose value must be converted, or is an object of any class.
    @usableFromInline
    @inline(never)
    final func getConverted<Value>(_ key: borrowing _ManagedKey, _ type: Value.Type) -> Value {
        let name = key.storedName(in: self)
        let found = Optional<Any>.flattening(convertedValue(forKey: name))
        if let value = found.map({ ConvertedValue.make(type, of: $0) }) ?? ConvertedValue.neutral(type) { return value }
        // A value of another type reads as nil if the property is optional.
        if let optional = type as? any OptionalType.Type, let value = optional.noValue as? Value { return value }
        let error = PropertyValueError(
            self, storedName: name, type: type, reason: found.map { .unknownValue("\($0)") } ?? .missing)
        return AccessFailure.valueInstead(self, _slot(forKey: name) ?? 0, error, NeutralValue.ofAny(type))
    }

    /// Sets a property whose value must be converted, or is an object of any class.
    @usableFromInline
    @inline(never)
    final func setConverted<Value>(_ key: borrowing _ManagedKey, _ value: Value) {
        let name = key.storedName(in: self)
        let object = ConvertedValue.object(value, for: entity.attributesByName[name]?.attributeType)
        if !setPrimitive(key, object) { setConvertedValue(object, forKey: name) }
    }
}
