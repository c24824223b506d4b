import OpenCoreData

extension NSManagedObjectContext {
    /// The model of the context's stores.
    func existingModel() throws -> NSManagedObjectModel {
        if let model = persistentStoreCoordinator?.managedObjectModel { return model }
        throw TestSupportError("The context has no persistent store coordinator, so it has no model.")
    }

    func existingEntity(named name: String) throws -> NSEntityDescription {
        let entities = try existingModel().entitiesByName
        if let entity = entities[name] { return entity }
        throw TestSupportError(
            "The model has no entity “\(name)”. Its entities are: \(entities.keys.sorted().joined(separator: ", ")).")
    }

    /// The objects of an entity and its subentities, unsaved changes included, in the order of their IDs.
    func objects(of entity: NSEntityDescription) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.returnsObjectsAsFaults = false
        return try fetch(request).map { ($0.objectID.uriRepresentation().absoluteString, $0) }
            .sorted { ($0.0.count, $0.0) < ($1.0.count, $1.0) }.map(\.1)
    }
}

extension NSManagedObject {
    /// The members of a to-many relationship in its order, or the one destination of a to-one relationship.
    func destinations(_ relationship: NSRelationshipDescription) -> [NSManagedObject] {
        switch value(forKey: relationship.name) {
        case let object as NSManagedObject: [object]
        case let set as NSOrderedSet: set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet: set.allObjects.compactMap { $0 as? NSManagedObject }
        default: []
        }
    }

    /// The entity's name and the ID, for messages.
    var place: String { "\(entity.name ?? "") <\(objectID.uriRepresentation().absoluteString)>" }
}
