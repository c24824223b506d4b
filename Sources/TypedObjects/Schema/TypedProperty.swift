public import DataModel
package import Foundation
package import ObjectGraph

/// What a class says about one of its managed properties.
public struct _TypedProperty {
    /// The name in Swift.
    public let name: String
    /// The name in the model and the store.
    public let storedName: String
    /// The Swift type, for messages.
    public let type: Any.Type
    /// Whether nil is one of the values.
    public let isOptional: Bool

    package let kind: Kind

    /// Whether it is a relationship of which it was said that nothing leads back.
    var hasNoInverse: Bool {
        if case .relationship(let relationship) = kind { relationship.settings.hasNoInverse } else { false }
    }

    /// The same property under another name in the model.
    func stored(as storedName: String) -> _TypedProperty {
        _TypedProperty(name: name, storedName: storedName, type: type, isOptional: isOptional, kind: kind)
    }

    package enum Kind {
        case attribute(TypedAttribute)
        case relationship(TypedRelationship)
        case fetched(TypedFetch)
    }
}

/// The part of a `_TypedProperty` that only attributes have.
package struct TypedAttribute {
    package let type: NSAttributeType
    /// Whether values of the Swift type can be kept by an attribute of another type.
    package let fits: (NSAttributeType) -> Bool
    /// The elements of a composite.
    package var elements: [_TypedProperty]?
    /// The model's default as the model holds it.
    package let defaultValue: Any?
    /// Gives a new object its computed initial value.
    package let initialize: ((NSManagedObject, _ slot: Int) -> Void)?
    /// Why an object has no value of the Swift type.
    package let problem: (NSManagedObject, _ slot: Int) -> PropertyValueError.Reason?
    package let options: [AttributeOption]
}

/// The part of a `_TypedProperty` that only relationships have.
package struct TypedRelationship {
    /// The class of the objects at the other end; nil where the type does not tell (`NSSet`).
    package let destination: NSManagedObject.Type?
    package let isToMany: Bool
    package let isOrdered: Bool
    package let settings: _RelationshipSettings
}

/// The part of a `_TypedProperty` that only fetched properties have.
package struct TypedFetch {
    /// The class of the objects that are found.
    package let destination: NSManagedObject.Type
    package let format: String?
    package let sortDescriptors: [NSSortDescriptor]
    package let limit: Int
}

/// What `@Relationship` says about a relationship besides its type. The macros write it.
public struct _RelationshipSettings {
    package let deleteRule: NSDeleteRule
    /// The Swift name of the property that leads back.
    package let inverse: String?
    /// Whether it was said that nothing leads back.
    package let hasNoInverse: Bool
    package let minCount: Int
    package let maxCount: Int
    package let isOptional: Bool?
    package let originalName: String?
    package let hashModifier: String?
    package let userInfo: [String: String]?

    /// Makes settings from the arguments of `@Relationship`.
    public init(
        deleteRule: NSDeleteRule = .nullifyDeleteRule, inverse: String? = nil, hasNoInverse: Bool = false, minCount: Int = 0,
        maxCount: Int = 0, isOptional: Bool? = nil, originalName: String? = nil, hashModifier: String? = nil,
        userInfo: [String: String]? = nil
    ) {
        self.deleteRule = deleteRule
        self.inverse = inverse
        self.hasNoInverse = hasNoInverse
        self.minCount = minCount
        self.maxCount = maxCount
        self.isOptional = isOptional
        self.originalName = originalName
        self.hashModifier = hashModifier
        self.userInfo = userInfo
    }
}
