import DataModel
import Foundation
import ObjectGraph

extension _TypedSchema {
    /// Adds a property that is declared with `@Managed`, with the details that can be compared with a model. Its type is known
    /// only at run time.
    mutating func add(managed name: String, _ type: Any.Type, storedName: String, form: _ManagedKey.Form) {
        let wrapped = (type as? any OptionalType.Type)?.wrappedType ?? type
        let kind: _TypedProperty.Kind
        switch form {
        case .plain: kind = Self.kind(of: type, wrapped)
        case .coded: kind = .managed(.binaryDataAttributeType) { $0 == .binaryDataAttributeType || $0 == .stringAttributeType }
        case .transformed: kind = .managed(.transformableAttributeType) { $0 == .transformableAttributeType }
        case .fetched:
            let element = (wrapped as? any EachCollection.Type)?.elementType as? NSManagedObject.Type
            kind = .fetched(TypedFetch(destination: element ?? NSManagedObject.self, format: nil, sortDescriptors: [], limit: 0))
        }
        _append(_TypedProperty(name: name, storedName: storedName, type: type, isOptional: wrapped != type, kind: kind))
    }

    /// The kind of property that the accessors for the type expect.
    private static func kind(of type: Any.Type, _ wrapped: Any.Type) -> _TypedProperty.Kind {
        if let type = type as? any AttributeValue.Type { return .managed(type) }
        if let raw = wrapped as? any RawRepresentable.Type, let known = rawType(raw) { return .managed(known) }
        func relationship(_ destination: NSManagedObject.Type?, isOrdered: Bool?) -> _TypedProperty.Kind {
            .relationship(
                TypedRelationship(
                    destination: destination, isToMany: isOrdered != nil, isOrdered: isOrdered ?? false, settings: .init()))
        }
        if let destination = wrapped as? NSManagedObject.Type { return relationship(destination, isOrdered: nil) }
        if wrapped == NSSet.self { return relationship(nil, isOrdered: false) }
        if wrapped == NSOrderedSet.self { return relationship(nil, isOrdered: true) }
        if let collection = wrapped as? any EachCollection.Type, !collection.isOrdered || wrapped == type,
            let destination = collection.elementType as? NSManagedObject.Type
        {
            return relationship(destination, isOrdered: collection.isOrdered)
        }
        return .managed(.transformableAttributeType) { $0 == .transformableAttributeType || $0 == .undefinedAttributeType }
    }

    private static func rawType<Value: RawRepresentable>(_ type: Value.Type) -> (any AttributeValue.Type)? {
        Value.RawValue.self as? any AttributeValue.Type
    }
}

extension _TypedProperty.Kind {
    fileprivate static func managed(_ type: any AttributeValue.Type) -> _TypedProperty.Kind {
        managed(type._attributeType, elements: type._elements) { type._fits($0) || ConvertedValue.needsNone(type, $0) }
    }

    fileprivate static func managed(
        _ type: NSAttributeType, elements: [_TypedProperty]? = nil, fits: @escaping (NSAttributeType) -> Bool
    ) -> _TypedProperty.Kind {
        .attribute(
            TypedAttribute(
                type: type, fits: fits, elements: elements, defaultValue: nil, initialize: nil, problem: { _, _ in nil },
                options: []))
    }
}
