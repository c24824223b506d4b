import ObjectGraph

/// What an `@Entity` class says about its entity: the name and the properties it declares itself, in the order of their slots.
///
/// The macro writes it; a program has no need to make one.
public struct TypedSchema {
    /// The name of the entity.
    public let entityName: String
    /// The class.
    public let type: NSManagedObject.Type
    /// The class that it inherits from.
    public let superclass: NSManagedObject.Type
    /// The properties that the class declares itself, in source order.
    public internal(set) var properties: [TypedProperty] = []

    /// Makes a schema without properties.
    public init(entityName: String, type: NSManagedObject.Type, superclass: NSManagedObject.Type) {
        self.entityName = entityName
        self.type = type
        self.superclass = superclass
    }

    /// The schema of the superclass, if that is an entity too.
    public var parent: TypedSchema? { (superclass as? any TypedObject.Type)?._typedSchema }

    /// The properties in the order of their slots: inherited ones first.
    public var allProperties: [TypedProperty] { (parent?.allProperties ?? []) + properties }
}
