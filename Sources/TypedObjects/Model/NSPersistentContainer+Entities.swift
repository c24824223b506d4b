public import DataModel
public import ObjectGraph

extension NSPersistentContainer {
    /// Makes a container with a model that is made from classes.
    ///
    /// ```swift
    /// let container = try NSPersistentContainer(name: "Cinema", entities: Director.self, Movie.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the container and of its store's file.
    ///   - checking: With `.strict`, a relationship without an inverse is an error unless it is declared with `inverse: nil`. By
    ///     default, two relationships that lead to each other's class and are not each other's inverse are reported on standard
    ///     error.
    ///   - entities: The classes. Superclasses need not be listed. Destinations of relationships must be listed.
    /// - Throws: One `NSError` (134060, `NSCoreDataError`) that lists all mistakes in the classes.
    public convenience init(name: String, checking: ModelChecking = .standard, entities: any TypedObject.Type...) throws {
        try self.init(name: name, checking: checking, entities: entities)
    }

    /// Makes a container with a model that is made from a list of classes. See the form with single classes.
    public convenience init(name: String, checking: ModelChecking = .standard, entities: [any TypedObject.Type]) throws {
        self.init(name: name, managedObjectModel: try NSManagedObjectModel(entities: entities, checking: checking))
    }

    /// Makes a container with a given model, for example from a model file, and sets typed classes for its entities.
    ///
    /// The types of each class's properties are compared with the model immediately. A Swift type that is not optional is allowed
    /// for an optional property. Reading such a property while it is nil stops the program with a message.
    ///
    /// - Parameters:
    ///   - name: The name of the container and of its store's file.
    ///   - managedObjectModel: The model. The container uses a copy if it has to set the classes in it.
    ///   - checking: With `.strict`, the warnings of `NSManagedObjectModel.issues(for:)` are mismatches too, for example a Swift
    ///     type that is not optional for an optional property.
    ///   - entities: The classes.
    /// - Throws: One `NSError` (134060, `NSCoreDataError`) that lists all mismatches. Each names the class, the property, the
    ///   Swift type and the model's type.
    public convenience init(
        name: String, managedObjectModel: NSManagedObjectModel, checking: ModelChecking = .standard,
        entities: any TypedObject.Type...
    ) throws {
        try self.init(name: name, managedObjectModel: managedObjectModel, checking: checking, entities: entities)
    }

    /// Makes a container with a given model, and sets typed classes from a list for its entities. See the form with single
    /// classes.
    public convenience init(
        name: String, managedObjectModel: NSManagedObjectModel, checking: ModelChecking = .standard,
        entities: [any TypedObject.Type]
    ) throws {
        self.init(name: name, managedObjectModel: try managedObjectModel.binding(entities, checking: checking))
    }
}
