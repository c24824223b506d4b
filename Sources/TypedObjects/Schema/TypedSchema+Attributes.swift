import DataModel
import ObjectGraph

extension TypedSchema {
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
        let attribute = TypedAttribute(
            type: Value._attributeType, fits: Value._fits, defaultValue: `default`?._modelValue,
            initialize: initial.map { value in { object, slot in value()._write(object, slot) } }, options: options)
        add(name, storedName, type, isOptional: Value._isOptional, attribute)
    }

    /// Adds an attribute whose values are kept as their raw values.
    @_disfavoredOverload
    public mutating func add<Value: RawRepresentable>(
        _ name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) where Value.RawValue: AttributeValue {
        let attribute = TypedAttribute(
            type: Value.RawValue._attributeType, fits: Value.RawValue._fits, defaultValue: `default`?.rawValue._modelValue,
            initialize: initial.map { value in { object, slot in value().rawValue._write(object, slot) } }, options: options)
        add(name, storedName, type, isOptional: false, attribute)
    }

    /// Adds an optional attribute whose values are kept as their raw values.
    @_disfavoredOverload
    public mutating func add<Value: RawRepresentable>(
        _ name: String, _ type: Value?.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value?)? = nil,
        options: [AttributeOption] = []
    ) where Value.RawValue: AttributeValue {
        let attribute = TypedAttribute(
            type: Value.RawValue._attributeType, fits: Value.RawValue._fits, defaultValue: `default`?.rawValue._modelValue,
            initialize: initial.map { value in { object, slot in (value()?.rawValue)._write(object, slot) } }, options: options)
        add(name, storedName, type, isOptional: true, attribute)
    }

    private mutating func add(
        _ name: String, _ storedName: String?, _ type: Any.Type, isOptional: Bool, _ attribute: TypedAttribute
    ) {
        properties.append(
            TypedProperty(
                name: name, storedName: storedName ?? name, type: type, isOptional: isOptional, kind: .attribute(attribute)))
    }
}
