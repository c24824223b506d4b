// The requirements are documented where `AttributeValue` declares them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DataModel
public import ObjectGraph

/// If a property has this type, a stored raw value that the type does not know is an error, and reading it does not stop the
/// program.
///
/// Setting a success stores its value. Setting a failure changes nothing, so the unknown value is kept for programs that know it.
extension Result: AttributeValue
where Success: RawRepresentable, Success.RawValue: AttributeValue, Failure == PropertyValueError {
    public static var _attributeType: NSAttributeType { Success.RawValue._attributeType }
    public static func _fits(_ type: NSAttributeType) -> Bool { Success.RawValue._fits(type) }

    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        guard let raw = Success.RawValue._read(object, slot) else {
            return .failure(error(object, slot, Success.RawValue._problem(object, slot) ?? .missing))
        }
        return Success(rawValue: raw).map(Self.success) ?? .failure(error(object, slot, .unknownValue("\(raw)")))
    }

    private static func error(_ object: NSManagedObject, _ slot: Int, _ reason: PropertyValueError.Reason) -> PropertyValueError {
        PropertyValueError(object, storedName: object.propertyName(atSlot: slot), type: Success.self, reason: reason)
    }

    public static func _problem(_ object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? {
        if case .failure(let error) = _read(object, slot) { error.reason } else { nil }
    }

    public func _write(_ object: NSManagedObject, _ slot: Int) {
        if case .success(let value) = self { value.rawValue._write(object, slot) }
    }

    public var _modelValue: Any? { if case .success(let value) = self { value.rawValue._modelValue } else { nil } }
}
