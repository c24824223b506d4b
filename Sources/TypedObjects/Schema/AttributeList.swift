import DataModel
import Foundation
import ObjectGraph

/// Something that attributes can be added to: the schema of a class or of a composite.
public protocol AttributeList {
    /// Adds a property.
    mutating func _append(_ property: TypedProperty)
}

extension AttributeList {
    /// Adds an attribute.
    ///
    /// - Parameters:
    ///   - name: the name in Swift.
    ///   - type: the Swift type.
    ///   - storedName: the name in the model, if it is another one.
    ///   - default: the model's default value.
    ///   - initial: computes the value that a new object gets, where it is not the same for all.
    ///   - options: what `@Attribute` says.
    public mutating func add<Value: AttributeValue>(
        _ name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) {
        let modelValue = `default`.flatMap(\._modelValue)
        // A composite has no default of its own in a model: each new object gets the value written.
        let compute = initialValue(initial, modelValue == nil && Value._elements != nil ? `default` : nil)
        let attribute = TypedAttribute(
            type: Value._attributeType, fits: Value._fits, elements: Value._elements, defaultValue: modelValue,
            initialize: compute.map { value in { object, slot in value()._write(object, slot) } }, problem: Value._problem,
            options: options)
        // A composite that needs nothing is nil to a model as long as all its elements are.
        let needsNothing = attribute.elements?.allSatisfy(\.isOptional) ?? false
        append(name, storedName, type, isOptional: Value._isOptional || needsNothing, attribute)
    }

    /// Adds an attribute whose values are kept as their raw values.
    @_disfavoredOverload
    public mutating func add<Value: RawRepresentable>(
        _ name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) where Value.RawValue: AttributeValue {
        addRaw(name, type, Value.self, storedName, false, `default`, initial.map { value in { value() } }, options)
    }

    /// Adds an optional attribute whose values are kept as their raw values.
    @_disfavoredOverload
    public mutating func add<Value: RawRepresentable>(
        _ name: String, _ type: Value?.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value?)? = nil,
        options: [AttributeOption] = []
    ) where Value.RawValue: AttributeValue {
        addRaw(name, type, Value.self, storedName, true, `default`, initial, options)
    }

    private mutating func addRaw<Value: RawRepresentable>(
        _ name: String, _ type: Any.Type, _ valueType: Value.Type, _ storedName: String?, _ isOptional: Bool, _ default: Value?,
        _ initial: (() -> Value?)?, _ options: [AttributeOption]
    ) where Value.RawValue: AttributeValue {
        typealias Raw = Value.RawValue
        let attribute = TypedAttribute(
            type: Raw._attributeType, fits: Raw._fits, defaultValue: `default`?.rawValue._modelValue,
            initialize: initial.map { value in { object, slot in (value()?.rawValue)._write(object, slot) } },
            problem: { object, slot in
                guard let raw = Raw._read(object, slot) else {
                    let reason = Raw._problem(object, slot) ?? .missing
                    return isOptional && reason == .missing ? nil : reason
                }
                return Value(rawValue: raw) == nil ? .unknownValue("\(raw)") : nil
            }, options: options)
        append(name, storedName, type, isOptional: isOptional, attribute)
    }

    // MARK: Codable and transformable values

    /// Adds an attribute whose values are kept as JSON.
    @_disfavoredOverload
    public mutating func add<Value: Codable>(
        coded name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) {
        addCoded(
            name, type, Value.self, storedName, false, initialValue(initial, `default`).map { value in { value() } }, options)
    }

    /// Adds an optional attribute whose values are kept as JSON.
    public mutating func add<Value: Codable>(
        coded name: String, _ type: Value?.Type, storedName: String? = nil, default: Value? = nil,
        initial: (() -> Value?)? = nil,
        options: [AttributeOption] = []
    ) {
        addCoded(name, type, Value.self, storedName, true, initialValue(initial, `default`.map { .some($0) }), options)
    }

    /// What computes a new object's value, also where the model can't keep the default.
    private func initialValue<Value>(_ initial: (() -> Value)?, _ constant: Value?) -> (() -> Value)? {
        if let initial { return initial }
        guard let constant else { return nil }
        return { constant }
    }

    private mutating func addCoded<Value: Codable>(
        _ name: String, _ type: Any.Type, _ valueType: Value.Type, _ storedName: String?, _ isOptional: Bool,
        _ initial: (() -> Value?)?, _ options: [AttributeOption]
    ) {
        let stored = storedName ?? name
        let attribute = TypedAttribute(
            type: .binaryDataAttributeType, fits: { $0 == .binaryDataAttributeType || $0 == .stringAttributeType },
            defaultValue: nil,
            initialize: initial.map { value in { object, slot in object._setCoded(stored, slot, value()) } },
            problem: { object, slot in
                let reason = CodedValue.problem(Value.self, object, slot)
                return isOptional && reason == .missing ? nil : reason
            }, options: options)
        append(name, storedName, type, isOptional: isOptional, attribute)
    }

    /// Adds an attribute whose values a value transformer turns into data.
    public mutating func add<Value>(
        transformed name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil,
        initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) {
        let isOptional = Value.self is any OptionalType.Type
        let stored = storedName ?? name
        let value = initialValue(initial, `default`)
        let attribute = TypedAttribute(
            type: .transformableAttributeType, fits: { $0 == .transformableAttributeType }, defaultValue: nil,
            initialize: value.map { value in { object, slot in object._setTransformed(stored, slot, value()) } },
            problem: { object, slot in
                guard let found = object._object(slot) else { return isOptional ? nil : .missing }
                return found is Value ? nil : .unknownValue("\(found)")
            }, options: options)
        append(name, storedName, type, isOptional: isOptional, attribute)
    }

    /// Catches types that no attribute can have.
    @available(
        *, unavailable,
        message:
            "no managed property can have this type: use @Attribute(.codable) or @Attribute(.transformable(by:)), make a struct a @Composite, an enumeration RawRepresentable, or mark a plain Swift property @Ignored"
    )
    @_disfavoredOverload
    public mutating func add<Value>(
        _ name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) {}

    private mutating func append(
        _ name: String, _ storedName: String?, _ type: Any.Type, isOptional: Bool, _ attribute: TypedAttribute
    ) {
        _append(
            TypedProperty(
                name: name, storedName: storedName ?? name, type: type, isOptional: isOptional, kind: .attribute(attribute)))
    }
}
