public import DataModel
public import ObjectGraph

extension NSPersistentContainer {
    /// Makes a container whose model comes from classes.
    ///
    /// ```swift
    /// let container = try NSPersistentContainer(name: "Cinema", entities: Director.self, Movie.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name of the container, and of its store's file.
    ///   - checking: with `.strict`, a relationship without inverse is an error unless it says `inverse: nil`. By default, two
    ///     relationships that lead to
    ///     each other's class without being each other's inverse are told of on standard error.
    ///   - entities: the classes. Superclasses need not be listed, destinations of relationships must be.
    /// - Throws: one `NSError` that lists everything that is wrong with the classes.
    public convenience init(name: String, checking: ModelChecking = .standard, entities: any TypedObject.Type...) throws {
        try self.init(name: name, checking: checking, entities: entities)
    }

    /// Makes a container whose model comes from a list of classes. See the form with single classes.
    public convenience init(name: String, checking: ModelChecking = .standard, entities: [any TypedObject.Type]) throws {
        self.init(name: name, managedObjectModel: try NSManagedObjectModel(entities: entities, checking: checking))
    }

    /// Makes a container with a model from elsewhere, for one from a model file, and gives its entities typed classes.
    ///
    /// Each class's property types are compared with the model at once. A Swift type that isn't optional is allowed for an
    /// optional property: reading it while it is nil stops the program with a message.
    ///
    /// - Parameters:
    ///   - name: the name of the container, and of its store's file.
    ///   - managedObjectModel: the model. The container uses a copy if it has to note the classes in it.
    ///   - checking: with `.strict`, a Swift type that isn't optional for an optional property is a mismatch too, and so is the
    ///     like.
    ///   - entities: the classes.
    /// - Throws: one `NSError` (134060, `NSCoreDataError`) that lists all mismatches, each with class, property, Swift type and
    ///   model type.
    public convenience init(
        name: String, managedObjectModel: NSManagedObjectModel, checking: ModelChecking = .standard,
        entities: any TypedObject.Type...
    ) throws {
        try self.init(name: name, managedObjectModel: managedObjectModel, checking: checking, entities: entities)
    }

    /// Makes a container with a model from elsewhere, and gives its entities typed classes from a list. See the form with single
    /// classes.
    public convenience init(
        name: String, managedObjectModel: NSManagedObjectModel, checking: ModelChecking = .standard,
        entities: [any TypedObject.Type]
    ) throws {
        self.init(name: name, managedObjectModel: try managedObjectModel.binding(entities, checking: checking))
    }
}
