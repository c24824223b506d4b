/// The kind of value an attribute holds, as the old enumeration of Core Data names it.
///
/// `NSAttributeDescription.AttributeType` is the newer form with the same raw values.
public enum NSAttributeType: UInt, Sendable {
    /// No type. Such an attribute can only be transient.
    case undefinedAttributeType = 0
    /// A 16-bit signed integer.
    case integer16AttributeType = 100
    /// A 32-bit signed integer.
    case integer32AttributeType = 200
    /// A 64-bit signed integer.
    case integer64AttributeType = 300
    /// A decimal number.
    case decimalAttributeType = 400
    /// A double-precision number.
    case doubleAttributeType = 500
    /// A single-precision number.
    case floatAttributeType = 600
    /// Text.
    case stringAttributeType = 700
    /// True or false.
    case booleanAttributeType = 800
    /// A point in time.
    case dateAttributeType = 900
    /// Bytes.
    case binaryDataAttributeType = 1000
    /// A UUID.
    case UUIDAttributeType = 1100
    /// A URL.
    case URIAttributeType = 1200
    /// Any value that a value transformer turns into bytes.
    case transformableAttributeType = 1800
    /// The identifier of a managed object.
    case objectIDAttributeType = 2000
    /// A group of other attributes.
    case compositeAttributeType = 2100
}
