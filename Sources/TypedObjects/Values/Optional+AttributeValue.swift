// The requirements are documented where `AttributeValue` declares them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import DataModel
public import ObjectGraph

extension Optional: AttributeValue where Wrapped: AttributeValue {
    @inlinable public static var _attributeType: NSAttributeType { Wrapped._attributeType }
    @inlinable public static var _isOptional: Bool { true }
    public static var _elements: [_TypedProperty]? { Wrapped._elements }
    public static func _fits(_ type: NSAttributeType) -> Bool { Wrapped._fits(type) }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Wrapped?? {
        .some(Wrapped._read(object, slot))
    }

    public static func _problem(_ object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? {
        Wrapped._problem(object, slot).flatMap { $0 == .missing ? nil : $0 }
    }

    @inlinable public static func _clear(_ object: NSManagedObject, _ slot: Int) { Wrapped._clear(object, slot) }

    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        if let self { self._write(object, slot) } else { Wrapped._clear(object, slot) }
    }

    public static func _read(_ elements: _CompositeElements, _ name: String) throws(PropertyValueError) -> Wrapped? {
        elements.isNil(name) ? nil : try Wrapped._read(elements, name)
    }

    public func _write(to elements: _CompositeElements, _ name: String) {
        if let self { self._write(to: elements, name) } else { Wrapped._clear(in: elements, name) }
    }

    public static func _clear(in elements: _CompositeElements, _ name: String) { Wrapped._clear(in: elements, name) }

    public var _modelValue: Any? { self?._modelValue }
}
