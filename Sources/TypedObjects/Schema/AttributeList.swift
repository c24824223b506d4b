import DataModel
import Foundation
import ObjectGraph

/// A schema to which attributes can be added: that of a class or of a composite.
public protocol _AttributeList {
    /// Adds a property.
    mutating func _append(_ property: _TypedProperty)
}

extension _AttributeList {
    /// Adds an attribute.
    ///
    /// - Parameters:
    ///   - name: The name in Swift.
    ///   - type: The Swift type.
    ///   - storedName: The name in the model, if it differs from the name in Swift.
    ///   - default: The model's default value.
    ///   - initial: Computes the initial value of a new object, if it is not the same for all objects.
    ///   - options: The options of `@Attribute`.
    public mutating func add<Value: AttributeValue>(
        _ name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) {
        var declaration = AttributeDeclaration(name, type, storedName: storedName, options: options)
        declaration.keep(type, default: `default`, initial: initial)
        _append(declaration.property)
    }

    /// Adds an attribute whose values are stored as their raw values.
    @_disfavoredOverload
    public mutating func add<Value: RawRepresentable>(
        _ name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) where Value.RawValue: AttributeValue {
        var declaration = AttributeDeclaration(name, type, storedName: storedName, options: options)
        declaration.keepRawValues(of: type, default: `default`, initial: initial)
        _append(declaration.property)
    }

    /// Adds an optional attribute whose values are stored as their raw values.
    @_disfavoredOverload
    public mutating func add<Value: RawRepresentable>(
        _ name: String, _ type: Value?.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value?)? = nil,
        options: [AttributeOption] = []
    ) where Value.RawValue: AttributeValue {
        var declaration = AttributeDeclaration(name, type, storedName: storedName, isOptional: true, options: options)
        declaration.keepRawValues(of: Value.self, default: `default`, initial: initial)
        _append(declaration.property)
    }

    // MARK: Codable and transformable values

    /// Adds an attribute whose values are stored as JSON.
    @_disfavoredOverload
    public mutating func add<Value: Codable>(
        coded name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil, initial: (() -> Value)? = nil,
        options: [AttributeOption] = []
    ) {
        var declaration = AttributeDeclaration(name, type, storedName: storedName, options: options)
        declaration.keepAsJSON(type, default: `default`, initial: initial)
        _append(declaration.property)
    }

    /// Adds an optional attribute whose values are stored as JSON.
    public mutating func add<Value: Codable>(
        coded name: String, _ type: Value?.Type, storedName: String? = nil, default: Value? = nil,
        initial: (() -> Value?)? = nil, options: [AttributeOption] = []
    ) {
        var declaration = AttributeDeclaration(name, type, storedName: storedName, isOptional: true, options: options)
        declaration.keepAsJSON(Value.self, default: `default`, initial: initial)
        _append(declaration.property)
    }

    /// Adds an attribute whose values a value transformer turns into data.
    public mutating func add<Value>(
        transformed name: String, _ type: Value.Type, storedName: String? = nil, default: Value? = nil,
        initial: (() -> Value)? = nil, options: [AttributeOption] = []
    ) {
        var declaration = AttributeDeclaration(name, type, storedName: storedName, options: options)
        declaration.keepTransformed(type, default: `default`, initial: initial)
        _append(declaration.property)
    }

    /// Is chosen by the compiler for types that no attribute can have.
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
}
