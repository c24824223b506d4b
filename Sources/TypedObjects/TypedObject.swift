public import DataModel
public import ObjectGraph

/// A managed object class whose properties have types and slots that the compiler knows. `@Entity` makes a class conform. Don't
/// do it by hand.
public protocol TypedObject: _SlotOrderedObject {
    /// The slot of the first property that the class declares itself.
    static var _typedSlotBase: Int { get }
    /// The number of slots of the class and its superclasses.
    static var _typedSlotCount: Int { get }
    /// The description of the class's entity.
    static var _typedSchema: _TypedSchema { get }
    /// The key paths of the properties in the order of their slots, rooted at the class.
    static var _typedKeyPaths: [AnyKeyPath] { get }
}

extension TypedObject {
    /// The names of the properties in the order of their slots.
    public static var _slotNames: [String] { _typedSchema.allProperties.map(\.storedName) }

    /// The stored name of the property with a name in Swift.
    public static func _storedName(of swiftName: String) -> String? {
        _typedSchema.allProperties.first { $0.name == swiftName }?.storedName
    }

    /// The contradictions between the class and an entity of a model. There is one text for each property.
    public static func _typeMismatches(with entity: NSEntityDescription) -> [String] {
        TypeCheck.mismatches(of: self, with: entity)
    }

    /// Sets the initial values that are not constant, such as `Date()` and `UUID()`.
    public static var _initialValues: ((NSManagedObject) -> Void)? {
        let initializers = _typedSchema.allProperties.enumerated().compactMap { slot, property -> ((NSManagedObject) -> Void)? in
            guard case .attribute(let attribute) = property.kind, let initialize = attribute.initialize else { return nil }
            return { initialize($0, slot) }
        }
        guard !initializers.isEmpty else { return nil }
        return { object in initializers.forEach { $0(object) } }
    }

    /// The entity of the class in a context's model. If the model does not have it, the program stops, as with Apple's framework.
    public static func _entityDescription(in context: NSManagedObjectContext) -> NSEntityDescription {
        context.entityDescription(for: self)
    }

    /// Makes a request for the objects of the class and its subclasses. The entity is looked up in the context's model when the
    /// request is executed.
    ///
    /// ```swift
    /// let request = Movie.fetchRequest()
    /// request.sortDescriptors = [Movie.keys.title.ascending]
    /// let movies = try context.fetch(request)                     // [Movie]
    /// ```
    public static func fetchRequest() -> NSFetchRequest<Self> { NSFetchRequest(entityName: _typedSchema.entityName) }
}
