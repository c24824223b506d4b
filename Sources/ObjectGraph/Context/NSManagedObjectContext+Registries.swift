package import DataModel
import Foundation
import Storage

/// Uniquing: one object per row.
extension NSManagedObjectContext {
    package final var runtime: ModelRuntime {
        guard let coordinator = persistentStoreCoordinator else {
            fatalError("\(self) has no persistentStoreCoordinator: set one before using it")
        }
        return coordinator.runtime
    }

    /// The layout of an entity, which may be of this model or of an equal one.
    final func layout(for entity: NSEntityDescription) -> EntityLayout {
        guard let layout = runtime.layout.entity(named: entity.name ?? "") else {
            fatalError("The model of \(self) has no entity “\(entity.name ?? "")”")
        }
        return layout
    }

    package final func entityDescription(for objectClass: NSManagedObject.Type) -> NSEntityDescription {
        if let known = uniquing.entityOfLastClass(objectClass) { return known }
        if let layout = runtime.entity(for: objectClass) {
            uniquing.noteClass(objectClass, layout.description)
            return layout.description
        }
        let name = String(describing: objectClass)
        guard let entity = runtime.layout.entity(named: name) else {
            fatalError("The model of \(self) has no entity whose class is \(objectClass)")
        }
        let known = runtime.classes[entity.index]
        guard objectClass is any _SlotOrderedObject.Type else { return entity.description }
        fatalError(
            "The entity “\(name)” has objects of class \(known), not \(objectClass). Pass \(name).self to the container "
                + "(NSPersistentContainer(name:managedObjectModel:entities:)), or write its module in the model.")
    }

    final func registryForInsert(_ entity: NSEntityDescription) -> ObjectRegistry {
        if let last = uniquing.registryOfLastInsert(entity) { return last }
        let layout = layout(for: entity)
        let problems = runtime.typeProblems[layout.index]
        guard problems.isEmpty else {
            fatalError("The class of “\(layout.name)” does not fit the model:\n" + problems.joined(separator: "\n"))
        }
        let registry = unsavedRegistries.registry(layout.index)
        // Only an entity that the runtime keeps alive may be recognized by its address.
        if layout.description === entity { uniquing.noteInsert(entity, registry) }
        return registry
    }

    final var unsavedRegistries: StoreRegistries { uniquing.unsaved ?? makeRegistries(nil) }

    @inline(__always) final func registries(_ store: StoreReference) -> StoreRegistries {
        uniquing.registries(at: store.index) ?? makeRegistries(store)
    }

    @inline(never) private final func makeRegistries(_ store: StoreReference?) -> StoreRegistries {
        let registries = StoreRegistries(runtime: runtime, store: store, context: self)
        uniquing.add(registries)
        return registries
    }

    /// The store of all saved objects, if there is only one.
    final var onlyStore: StoreReference? { persistentStoreCoordinator?.firstStoreReference }

    /// The object for a key in another object's row.
    final func destination(of owner: NSManagedObject, entity: Int, key: Int64) -> NSManagedObject? {
        if key < 0 {
            let registry = unsavedRegistries.registry(entity)
            if let known = registry.object(key) { return known }
            if let place = permanentPlace(of: key) { return object(store: place.store, entity: entity, key: place.key) }
            return parent == nil ? nil : makeFault(registry, key: key, row: nil)
        }
        guard let store = owner.registry.store ?? onlyStore else { return nil }
        return object(store: store, entity: entity, key: key)
    }

    /// The object for a row: a fault if it was not known.
    final func object(store: StoreReference, entity: Int, key: Int64) -> NSManagedObject {
        let registry = registries(store).registry(entity)
        return registry.object(key) ?? makeFault(registry, key: key, row: nil)
    }

    /// Makes an object for a row. The class's initializer may do anything, so no lock may be held here.
    @inline(__always) final func makeFault(_ registry: ObjectRegistry, key: Int64, row: consuming Row?) -> NSManagedObject {
        uniquing.faultMaking.begin()
        defer { uniquing.faultMaking.end() }
        let object = makeObject(in: registry, of: registry.record.pointee.objectClass)
        object.key = key
        object.row = row
        object._state.formUnion(observing.objectState)
        let known = registry.insertNew(object, key: key)
        if registry.record.pointee.tellsStore { registry.tellRegistered(key) }
        if let known { return replace(object, by: known) }
        uniquing.retain(object)
        return object
    }

    /// Makes an object that is not inserted: its initializer finds the registry that it belongs to in the context.
    @inline(__always) final func makeObject(in registry: ObjectRegistry, of objectClass: NSManagedObject.Type) -> NSManagedObject
    {
        // An initializer may itself fetch, before it calls `super`.
        let outer = uniquing.faultMaking.beginObject(in: registry)
        let object = registry.record.pointee.description._withUnsafeGuaranteedRef {
            objectClass.init(entity: $0, insertInto: Optional(self))
        }
        uniquing.faultMaking.endObject(outer)
        guard object.registry.record == registry.record else { isNoFault(object, of: registry.layout) }
        return object
    }

    /// The initializer of a fault has fetched the same row. The fetched object stays.
    @inline(never) private final func replace(_ object: NSManagedObject, by known: NSManagedObject) -> NSManagedObject {
        NSManagedObject.leaveContext(CollectionOfOne(object))
        return known
    }

    @inline(never) private final func isNoFault(_ object: NSManagedObject, of layout: EntityLayout) -> Never {
        fatalError(
            "init(entity:insertInto:) of \(type(of: object)) did not make the “\(layout.name)” that the context asked for: pass entity and context on to "
                + "super.init, and make other objects of the same entity with init(context:) or after it")
    }

    /// Must be called before the initializer of a new object. Otherwise the object may take itself for a fault, if it
    /// is made in a fault's initializer. The code that `@Entity` generates calls it.
    @inline(__always) public final func _beginInsertion() -> _AwaitedFault {
        _AwaitedFault(registry: uniquing.faultMaking.beginObject(in: nil))
    }

    /// Must be called when the new object is made.
    @inline(__always) public final func _endInsertion(_ fault: _AwaitedFault) { uniquing.faultMaking.endObject(fault.registry) }

    // MARK: By ID

    /// The registered object with an ID; nil if the context does not know it. Does not touch the store.
    public final func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        guard let place = place(of: objectID) else { return nil }
        return place.registry.object(place.key)
    }

    /// The object with an ID: a fault if the context does not know it. Does not touch the store, and does not check
    /// that there is a row.
    ///
    /// Stops the program for an ID of a store that the coordinator does not have, or no longer has; Apple's framework
    /// raises an exception. If the context has loaded an object of such a store, the result is that object. If the
    /// store may be gone, call ``existingObject(with:)``, which throws.
    ///
    /// - Parameter objectID: The ID.
    public final func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        guard let place = place(of: objectID) else {
            fatalError("\(objectID) belongs to a store that the coordinator of \(self) does not have")
        }
        return place.registry.object(place.key) ?? makeFault(place.registry, key: place.key, row: nil)
    }

    /// The object with an ID, its values loaded.
    ///
    /// - Throws: 133000 (`NSManagedObjectReferentialIntegrityError`) if there is no such row, or a ``ReadingFailure``.
    public final func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        guard let (registry, key) = place(of: objectID) else { throw noRow(objectID) }
        let object = registry.object(key) ?? makeFault(registry, key: key, row: nil)
        try object.load()
        return object
    }

    final func noRow(_ objectID: NSManagedObjectID) -> NSError {
        .coreData(
            NSManagedObjectReferentialIntegrityError, "There is no object with the ID \(objectID)",
            [NSAffectedObjectsErrorKey: [objectID]])
    }

    /// The registry and key under which the object of an ID is or would be registered. A temporary ID from before the
    /// save names the saved object.
    private final func place(of objectID: NSManagedObjectID) -> (registry: ObjectRegistry, key: Int64)? {
        let name = objectID.runtime.layout.entities[objectID.entityIndex].name
        guard let coordinator = persistentStoreCoordinator, let entity = coordinator.runtime.layout.entity(named: name)?.index
        else { return nil }
        adoptPermanentIDs()
        guard let reference = objectID.storeReference else {
            let registry = unsavedRegistries.registry(entity)
            guard registry.object(objectID.key) == nil else { return (registry, objectID.key) }
            if let place = permanentPlace(of: objectID.key) { return (registries(place.store).registry(entity), place.key) }
            if let successor = objectID.successor { return place(of: successor) }
            return (registry, objectID.key)
        }
        if let store = coordinator.storeReference(identifier: reference.identifier) {
            return (registries(store).registry(entity), objectID.key)
        }
        // The context keeps the objects that it has of a store that was removed.
        guard let registries = uniquing.registries(at: reference.index), registries.store === reference,
            registries.registry(entity).object(objectID.key) != nil
        else { return nil }
        return (registries.registry(entity), objectID.key)
    }

    // MARK: Loading

    /// - Returns: nil if there is no such row.
    /// - Throws: `ReadingFailure`.
    final func loadRow(of object: NSManagedObject) throws -> Row? {
        if let parent { return try rowInParent(parent, of: object) }
        guard let reference = object.registry.store else { return nil }
        do {
            let store = try reference.requireStore()
            let siblings = fetches.batches.siblings(of: object.key, store: reference, root: object.layout.root)
            if siblings.count > 1 {
                let consumer = FaultConsumer(registries(reference), wanted: object.key)
                let request = RowRequest(runtime.layout.entities[object.layout.root], selection: .keys(Array(siblings)))
                do {
                    try store.fetch(request, into: consumer, in: generationToRead, for: self)
                    return consumer.row
                } catch {
                    // If the siblings can't be read, this object is read by itself.
                    if let row = consumer.row { return row }
                }
            }
            return try store.loadRow(object.layout, key: object.key, in: generationToRead, for: self)
        } catch {
            throw ReadingFailure(object, property: nil, error)
        }
    }

    /// - Throws: `ReadingFailure`.
    final func loadMembers(of relationship: RelationshipLayout, owner: NSManagedObject) throws -> [NSManagedObject] {
        if let parent { return try membersInParent(parent, relationship, owner: owner).filter { isListed($0, relationship) } }
        guard let reference = owner.registry.store else { return [] }
        let destination = runtime.layout.entities[relationship.destination]
        let consumer = ObjectConsumer(self, registries(reference), .init(confinesFailures: true))
        do {
            try reference.requireStore().fetch(
                RowRequest(destination, selection: .members(of: relationship, owner: owner.key)), into: consumer,
                in: generationToRead, for: self)
        } catch {
            throw ReadingFailure(owner, property: relationship.name, error)
        }
        // An object whose key in memory points elsewhere was moved through its inverse, which has updated this
        // relationship.
        return consumer.finish().filter { isListed($0, relationship) }
    }

    /// Whether a member in the store is still a member. It is not, if its deletion was processed and has cleared the
    /// relationship. If deletion clears nothing, its owners keep it until the save.
    final func isListed(_ member: NSManagedObject, _ relationship: RelationshipLayout) -> Bool {
        guard member.isDeleted, !member._state.contains(.eventDeleted) else { return true }
        if member._state.contains(.deletedElsewhere), parent == nil, generationToRead == nil { merging.noteReturned(member) }
        let rule = relationship.inverse.flatMap { member.layout.relationship(id: $0) }?.deleteRule
        return rule != .nullifyDeleteRule && rule != .cascadeDeleteRule
    }
}
