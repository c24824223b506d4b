// The requirements are documented where `AttributeValue` declares them.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import DataModel
import ObjectGraph

extension Optional: AttributeValue where Wrapped: AttributeValue {
    @inlinable public static var _attributeType: NSAttributeType { Wrapped._attributeType }
    @inlinable public static var _isOptional: Bool { true }
    public static func _fits(_ type: NSAttributeType) -> Bool { Wrapped._fits(type) }
    @inlinable @inline(__always) public static func _read(_ object: NSManagedObject, _ slot: Int) -> Wrapped?? {
        .some(Wrapped._read(object, slot))
    }

    @inlinable @inline(__always) public func _write(_ object: NSManagedObject, _ slot: Int) {
        if let self { self._write(object, slot) } else { object._setNil(slot) }
    }

    public var _modelValue: Any? { self?._modelValue }
}
