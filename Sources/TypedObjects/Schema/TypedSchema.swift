public import ObjectGraph

/// Describes the entity of an `@Entity` class: its name, and the properties that the class declares itself, in the order of their
/// slots.
///
/// The macro writes it. A program does not need to make one.
public struct _TypedSchema: _AttributeList {
    /// The name of the entity.
    public let entityName: String
    /// The class.
    public let type: NSManagedObject.Type
    /// The class that it inherits from.
    public let superclass: NSManagedObject.Type
    /// Whether the entity is abstract, so that only subclasses have objects.
    public let isAbstract: Bool
    /// The name of the entity in an older version of the model.
    public let originalName: String?
    /// A text that is part of the version hash.
    public let hashModifier: String?
    /// The user info of the entity.
    public let userInfo: [String: String]
    /// Groups of properties, by their Swift names, whose values together must be unique.
    public let uniqueness: [[String]]
    /// The properties of each index, by their Swift names.
    public let indexes: [[String]]
    /// The properties that the class declares itself, in source order.
    public private(set) var properties: [_TypedProperty] = []

    /// Makes a schema without properties.
    public init(
        entityName: String, type: NSManagedObject.Type, superclass: NSManagedObject.Type, isAbstract: Bool = false,
        originalName: String? = nil, hashModifier: String? = nil, userInfo: [String: String] = [:], uniqueness: [[String]] = [],
        indexes: [[String]] = []
    ) {
        self.entityName = entityName
        self.type = type
        self.superclass = superclass
        self.isAbstract = isAbstract
        self.originalName = originalName
        self.hashModifier = hashModifier
        self.userInfo = userInfo
        self.uniqueness = uniqueness
        self.indexes = indexes
    }

    /// Adds a property.
    public mutating func _append(_ property: _TypedProperty) { properties.append(property) }

    /// The schema of the superclass, if it is an entity too.
    public var parent: _TypedSchema? { (superclass as? any TypedObject.Type)?._typedSchema }

    /// The properties in the order of their slots. Inherited properties come first.
    public var allProperties: [_TypedProperty] { (parent?.allProperties ?? []) + properties }
}
