// Each method does what the one with name and slot does that is documented in `NSManagedObject+Attributes.swift` or `…+Relationships.swift`.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation
import ObjectGraph

// The accessors of properties whose slot must be looked up by name: those of classes that write `@Managed` themselves.

extension NSManagedObject {
    @inlinable
    public final func _get<Value: AttributeValue>(_ key: ManagedKey) -> Value { _get(key.name, key.slot(in: self)) }

    @_disfavoredOverload
    @inlinable
    public final func _get<Value: RawRepresentable>(_ key: ManagedKey) -> Value where Value.RawValue: AttributeValue {
        _get(key.name, key.slot(in: self))
    }

    @_disfavoredOverload
    @inlinable
    public final func _get<Value: RawRepresentable>(_ key: ManagedKey) -> Value? where Value.RawValue: AttributeValue {
        _get(key.name, key.slot(in: self))
    }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ key: ManagedKey) -> Destination { _get(key.name, key.slot(in: self)) }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ key: ManagedKey) -> Destination? { _get(key.name, key.slot(in: self)) }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ key: ManagedKey) -> Set<Destination> {
        _get(key.name, key.slot(in: self))
    }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ key: ManagedKey) -> Set<Destination>? {
        _get(key.name, key.slot(in: self))
    }

    @inlinable
    public final func _get<Destination: NSManagedObject>(_ key: ManagedKey) -> [Destination] {
        _get(key.name, key.slot(in: self))
    }

    public final func _get(_ key: ManagedKey) -> NSSet { _get(key.name, key.slot(in: self)) }
    public final func _get(_ key: ManagedKey) -> NSSet? { _get(key.name, key.slot(in: self)) }
    public final func _get(_ key: ManagedKey) -> NSOrderedSet { _get(key.name, key.slot(in: self)) }
    public final func _get(_ key: ManagedKey) -> NSOrderedSet? { _get(key.name, key.slot(in: self)) }

    @inlinable
    public final func _set<Value: AttributeValue>(_ key: ManagedKey, _ value: Value) { _set(key.name, key.slot(in: self), value) }

    @_disfavoredOverload
    @inlinable
    public final func _set<Value: RawRepresentable>(_ key: ManagedKey, _ value: Value) where Value.RawValue: AttributeValue {
        _set(key.name, key.slot(in: self), value)
    }

    @_disfavoredOverload
    @inlinable
    public final func _set<Value: RawRepresentable>(_ key: ManagedKey, _ value: Value?) where Value.RawValue: AttributeValue {
        _set(key.name, key.slot(in: self), value)
    }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ key: ManagedKey, _ value: Destination?) {
        _set(key.name, key.slot(in: self), value)
    }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ key: ManagedKey, _ value: Set<Destination>) {
        _set(key.name, key.slot(in: self), value)
    }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ key: ManagedKey, _ value: Set<Destination>?) {
        _set(key.name, key.slot(in: self), value)
    }

    @inlinable
    public final func _set<Destination: NSManagedObject>(_ key: ManagedKey, _ value: [Destination]) {
        _set(key.name, key.slot(in: self), value)
    }

    public final func _set(_ key: ManagedKey, _ value: NSSet?) { _set(key.name, key.slot(in: self), value) }
    public final func _set(_ key: ManagedKey, _ value: NSOrderedSet?) { _set(key.name, key.slot(in: self), value) }

    @_disfavoredOverload
    public final func _getCoded<Value: Codable>(_ key: ManagedKey) -> Value { _getCoded(key.name, key.slot(in: self)) }
    public final func _getCoded<Value: Codable>(_ key: ManagedKey) -> Value? { _getCoded(key.name, key.slot(in: self)) }
    public final func _setCoded<Value: Codable>(_ key: ManagedKey, _ value: Value) {
        _setCoded(key.name, key.slot(in: self), value)
    }
    public final func _setCoded<Value: Codable>(_ key: ManagedKey, _ value: Value?) {
        _setCoded(key.name, key.slot(in: self), value)
    }
    @_disfavoredOverload
    public final func _getTransformed<Value>(_ key: ManagedKey) -> Value { _getTransformed(key.name, key.slot(in: self)) }
    public final func _getTransformed<Value>(_ key: ManagedKey) -> Value? { _getTransformed(key.name, key.slot(in: self)) }
    public final func _setTransformed<Value>(_ key: ManagedKey, _ value: Value) {
        _setTransformed(key.name, key.slot(in: self), value)
    }
}
