public import DataModel
package import Foundation
package import ObjectGraph

/// Describes one managed property of a class.
public struct _TypedProperty {
    /// The name in Swift.
    public let name: String
    /// The name in the model and the store.
    public let storedName: String
    /// The Swift type, which is used in messages.
    public let type: Any.Type
    /// Whether the value may be nil.
    public let isOptional: Bool

    package let kind: Kind

    /// Whether the property is a relationship that is declared with `inverse: nil`.
    var hasNoInverse: Bool {
        if case .relationship(let relationship) = kind { relationship.settings.hasNoInverse } else { false }
    }

    /// The same property with another name in the model.
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
    /// Whether an attribute of another type can store values of the Swift type.
    package let fits: (NSAttributeType) -> Bool
    /// The elements of a composite.
    package var elements: [_TypedProperty]?
    /// The default value in the model.
    package let defaultValue: Any?
    /// Sets the computed initial value of a new object.
    package let initialize: ((NSManagedObject, _ slot: Int) -> Void)?
    /// Why an object has no value of the Swift type.
    package let problem: (NSManagedObject, _ slot: Int) -> PropertyValueError.Reason?
    package let options: [AttributeOption]
}

/// The part of a `_TypedProperty` that only relationships have.
package struct TypedRelationship {
    /// The class of the objects at the other end. It is nil if the type does not tell it, as `NSSet` does not.
    package let destination: NSManagedObject.Type?
    package let isToMany: Bool
    package let isOrdered: Bool
    package let settings: _RelationshipSettings
}

/// The part of a `_TypedProperty` that only fetched properties have.
package struct TypedFetch {
    /// The class of the fetched objects.
    package let destination: NSManagedObject.Type
    package let format: String?
    package let sortDescriptors: [NSSortDescriptor]
    package let limit: Int
}

/// The details of a relationship that `@Relationship` declares in addition to its type. The macros write it.
public struct _RelationshipSettings {
    package let deleteRule: NSDeleteRule
    /// The Swift name of the property that leads back.
    package let inverse: String?
    /// Whether the relationship is declared with `inverse: nil`.
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
