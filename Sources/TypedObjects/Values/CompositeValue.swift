public import DataModel
public import ObjectGraph

/// A struct whose properties are the elements of a composite attribute. `@Composite` makes a struct conform; don't do it by hand.
public protocol CompositeValue: AttributeValue {
    /// What the struct says about its elements, in source order.
    static var _compositeSchema: _CompositeSchema { get }
    /// The key paths of the elements, in the same order.
    static var _typedKeyPaths: [AnyKeyPath] { get }
    /// Reads the elements.
    init(_composite values: _CompositeElements) throws(PropertyValueError)
    /// Writes the elements.
    func _write(to values: _CompositeElements)
}

extension CompositeValue {
    /// Composite.
    public static var _attributeType: NSAttributeType { .compositeAttributeType }
    /// The elements in source order.
    public static var _elements: [_TypedProperty]? { _compositeSchema.properties }

    /// Nil if all elements are nil, as in Core Data, and if one that can't be nil has no value: `_problem` tells which.
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        guard let values = _CompositeElements(object, slot), !values.isEmpty else { return nil }
        return try? Self(_composite: values)
    }

    /// Nil if an element that can't be nil has no value.
    public static func _readRequired(_ object: NSManagedObject, _ slot: Int) -> Self? {
        try? _CompositeElements(object, slot).map(Self.init(_composite:))
    }

    /// What is wrong with the first element that has no value.
    public static func _problem(_ object: NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? {
        guard let values = _CompositeElements(object, slot) else { return .missing }
        do throws(PropertyValueError) {
            _ = try Self(_composite: values)
            return nil
        } catch {
            return values.isEmpty ? .missing : error.reason
        }
    }

    /// Sets all elements to nil.
    public static func _clear(_ object: NSManagedObject, _ slot: Int) {
        _CompositeElements(object, slot)?.clear()
    }

    /// Writes the elements.
    public func _write(_ object: NSManagedObject, _ slot: Int) {
        guard let values = _CompositeElements(object, slot) else { return }
        _write(to: values)
    }

    /// A composite in the composite.
    public static func _read(_ elements: _CompositeElements, _ name: String) throws(PropertyValueError) -> Self {
        guard let nested = elements.nested(name) else { throw elements.error(name, Self.self, .missing) }
        return try Self(_composite: nested)
    }

    /// Sets a composite in the composite.
    public func _write(to elements: _CompositeElements, _ name: String) {
        if let nested = elements.nested(name) { _write(to: nested) }
    }

    /// Sets all elements of a composite in the composite to nil.
    public static func _clear(in elements: _CompositeElements, _ name: String) { elements.nested(name)?.clear() }

    /// Nil: the elements have defaults of their own.
    public var _modelValue: Any? { nil }
}

/// What a composite struct says about its elements. `@Composite` writes it.
public struct _CompositeSchema: _AttributeList {
    /// The elements in source order.
    public private(set) var properties: [_TypedProperty] = []

    /// Makes an empty schema.
    public init() {}

    /// Adds an element.
    public mutating func _append(_ property: _TypedProperty) { properties.append(property) }
}
