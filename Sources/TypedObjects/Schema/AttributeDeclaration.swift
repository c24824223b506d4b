import DataModel
import Foundation
import ObjectGraph

/// Collects the details of an attribute that is added to a schema. Each overload of `add` fills in what it knows.
struct AttributeDeclaration {
    private let name: String
    private let storedName: String
    /// The declared type, which is used in messages.
    private let type: Any.Type
    private let options: [AttributeOption]
    /// Whether the value may be nil.
    private var isOptional: Bool
    private var modelType = NSAttributeType.undefinedAttributeType
    private var fits: (NSAttributeType) -> Bool = { _ in false }
    private var elements: [_TypedProperty]?
    private var defaultValue: Any?
    private var initialize: ((NSManagedObject, _ slot: Int) -> Void)?
    private var problem: (NSManagedObject, _ slot: Int) -> PropertyValueError.Reason? = { _, _ in nil }

    init(_ name: String, _ type: Any.Type, storedName: String?, isOptional: Bool = false, options: [AttributeOption]) {
        self.name = name
        self.storedName = storedName ?? name
        self.type = type
        self.isOptional = isOptional
        self.options = options
    }

    /// The attribute as a property of a schema.
    var property: _TypedProperty {
        let attribute = TypedAttribute(
            type: modelType, fits: fits, elements: elements, defaultValue: defaultValue, initialize: initialize, problem: problem,
            options: options)
        return _TypedProperty(name: name, storedName: storedName, type: type, isOptional: isOptional, kind: .attribute(attribute))
    }

    // MARK: How values are kept

    /// Stores values in the form that the type defines.
    mutating func keep<Value: AttributeValue>(_ type: Value.Type, default: Value?, initial: (() -> Value)?) {
        modelType = Value._attributeType
        fits = Value._fits
        elements = Value._elements
        problem = Value._problem
        defaultValue = `default`.flatMap(\._modelValue)
        // A composite has no default of its own in a model, so the value is written to each new object.
        let isInitial = defaultValue == nil && elements != nil
        initialize = Self.computed(initial, isInitial ? `default` : nil).map { value in
            { object, slot in value()._write(object, slot) }
        }
        // A composite without required elements is nil in a model while all its elements are nil.
        let needsNothing = elements?.allSatisfy(\.isOptional) ?? false
        isOptional = Value._isOptional || needsNothing
    }

    /// Stores values as their raw values.
    mutating func keepRawValues<Value: RawRepresentable>(of type: Value.Type, default: Value?, initial: (() -> Value?)?)
    where Value.RawValue: AttributeValue {
        typealias Raw = Value.RawValue
        let isOptional = isOptional
        modelType = Raw._attributeType
        fits = Raw._fits
        defaultValue = `default`?.rawValue._modelValue
        initialize = initial.map { value in { object, slot in (value()?.rawValue)._write(object, slot) } }
        problem = { object, slot in
            guard let raw = Raw._read(object, slot) else {
                let reason = Raw._problem(object, slot) ?? .missing
                return isOptional && reason == .missing ? nil : reason
            }
            return Value(rawValue: raw) == nil ? .unknownValue("\(raw)") : nil
        }
    }

    /// Stores values as JSON. The model has no default.
    mutating func keepAsJSON<Value: Codable>(_ type: Value.Type, default: Value?, initial: (() -> Value?)?) {
        let (isOptional, storedName) = (isOptional, storedName)
        modelType = .binaryDataAttributeType
        fits = { $0 == .binaryDataAttributeType || $0 == .stringAttributeType }
        initialize = Self.computed(initial, `default`).map { value in
            { object, slot in object._setCoded(storedName, slot, value()) }
        }
        problem = { object, slot in
            let reason = CodedValue.problem(Value.self, object, slot)
            return isOptional && reason == .missing ? nil : reason
        }
    }

    /// Stores values as the result of a value transformer. The model has no default.
    mutating func keepTransformed<Value>(_ type: Value.Type, default: Value?, initial: (() -> Value)?) {
        let (isOptional, storedName) = (Value.self is any OptionalType.Type, storedName)
        self.isOptional = isOptional
        modelType = .transformableAttributeType
        fits = { $0 == .transformableAttributeType }
        initialize = Self.computed(initial, `default`).map { value in
            { object, slot in object._setTransformed(storedName, slot, value()) }
        }
        problem = { object, slot in
            guard let found = object._object(slot) else { return isOptional ? nil : .missing }
            return found is Value ? nil : .unknownValue("\(found)")
        }
    }

    /// Computes the initial value of a new object, which may be a constant.
    private static func computed<Value>(_ initial: (() -> Value)?, _ constant: Value?) -> (() -> Value)? {
        initial ?? constant.map { value in { value } }
    }
}
