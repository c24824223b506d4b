public import DataModel
public import ObjectGraph

/// A struct whose properties are the elements of a composite attribute. `@Composite` makes a struct conform. Don't do it by hand.
public protocol CompositeValue: AttributeValue {
    /// The description of the struct's elements, in source order.
    static var _compositeSchema: _CompositeSchema { get }
    /// The key paths of the elements, in the same order.
    static var _typedKeyPaths: [AnyKeyPath] { get }
    /// Reads the elements.
    init(_composite values: _CompositeElements) throws(PropertyValueError)
    /// Writes the elements.
    func _write(to values: _CompositeElements)
}

extension CompositeValue {
    /// The composite attribute type.
    public static var _attributeType: NSAttributeType { .compositeAttributeType }
    /// The elements in source order.
    public static var _elements: [_TypedProperty]? { _compositeSchema.properties }

    /// Reads the composite. It is nil if all elements are nil, as in Core Data, or if a required element has no value. `_problem`
    /// tells which element that is.
    public static func _read(_ object: NSManagedObject, _ slot: Int) -> Self? {
        guard let values = _CompositeElements(object, slot), !values.isEmpty else { return nil }
        return try? Self(_composite: values)
    }

    /// Reads the composite. It is nil if a required element has no value.
    public static func _readRequired(_ object: NSManagedObject, _ slot: Int) -> Self? {
        try? _CompositeElements(object, slot).map(Self.init(_composite:))
    }

    /// Why the first required element without a value has none.
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

    /// Reads a composite that is nested in another one.
    public static func _read(_ elements: _CompositeElements, _ name: String) throws(PropertyValueError) -> Self {
        guard let nested = elements.nested(name) else { throw elements.error(name, Self.self, .missing) }
        return try Self(_composite: nested)
    }

    /// Writes a composite that is nested in another one.
    public func _write(to elements: _CompositeElements, _ name: String) {
        if let nested = elements.nested(name) { _write(to: nested) }
    }

    /// Sets all elements of a nested composite to nil.
    public static func _clear(in elements: _CompositeElements, _ name: String) { elements.nested(name)?.clear() }

    /// Nil. The elements have their own defaults.
    public var _modelValue: Any? { nil }
}

/// Describes the elements of a composite struct. `@Composite` writes it.
public struct _CompositeSchema: _AttributeList {
    /// The elements in source order.
    public private(set) var properties: [_TypedProperty] = []

    /// Makes an empty schema.
    public init() {}

    /// Adds an element.
    public mutating func _append(_ property: _TypedProperty) { properties.append(property) }
}
