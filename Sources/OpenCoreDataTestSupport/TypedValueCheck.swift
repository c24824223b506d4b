import OpenCoreData
import TypedObjects

/// The facts that an object's class adds to the model's attribute. For example, an enumeration has few values.
struct TypedValueCheck {
    private let object: NSManagedObject
    private let property: (slot: Int, property: _TypedProperty)?

    init(_ object: NSManagedObject, _ attribute: NSAttributeDescription) {
        self.object = object
        let schema = (type(of: object) as? any TypedObject.Type)?._typedSchema
        property = schema?.allProperties.enumerated().first { $0.element.storedName == attribute.name }
            .map { ($0.offset, $0.element) }
    }

    /// Whether the class takes nil.
    var allowsNil: Bool { property?.property.isOptional ?? true }

    /// Whether the Swift type can hold the attribute's value.
    var isReadable: Bool {
        guard let property, case .attribute(let attribute) = property.property.kind else { return true }
        return attribute.problem(object, property.slot) == nil
    }

    /// The raw values of an enumeration that lists its cases; nil for other types.
    var rawValues: [Any]? {
        guard let type = property?.property.type else { return nil }
        let wrapped = (type as? any WrappingType.Type)?.wrapped ?? type
        guard let cases = wrapped as? any CaseIterable.Type else { return nil }
        let values = Self.values(cases).compactMap { ($0 as? any RawRepresentable)?.rawValue }
        return values.isEmpty ? nil : values
    }

    private static func values<Cases: CaseIterable>(_ cases: Cases.Type) -> [Any] { cases.allCases.map { $0 } }
}

private protocol WrappingType {
    static var wrapped: Any.Type { get }
}

extension Optional: WrappingType {
    fileprivate static var wrapped: Any.Type { Wrapped.self }
}
