import DataModel
import Storage

/// Finds the places of a context's objects for IDs that another context, coordinator or process made. It looks names up
/// once per entity.
struct ObjectPlaces {
    private struct Source: Hashable {
        let runtime: ObjectIdentifier
        let store: ObjectIdentifier
        let entity: Int
    }

    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private var places: [Source: ObjectRegistry?] = [:]

    init(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) {
        self.context = context
        self.coordinator = coordinator
    }

    /// Nil for stores and entities that the context's coordinator does not have, and for temporary IDs of objects that
    /// neither this context nor one above it knows.
    mutating func place(of id: NSManagedObjectID) -> (registry: ObjectRegistry, key: Int64)? {
        guard let reference = id.storeReference else { return placeOfNewObject(id) }
        return registry(of: id, reference).map { ($0, id.key) }
    }

    private mutating func registry(of id: NSManagedObjectID, _ reference: StoreReference) -> ObjectRegistry? {
        let source = Source(runtime: ObjectIdentifier(id.runtime), store: ObjectIdentifier(reference), entity: id.entityIndex)
        if let known = places[source] { return known }
        let place = find(id, reference)
        places[source] = .some(place)
        return place
    }

    private func entity(of id: NSManagedObjectID) -> Int? {
        coordinator.runtime.layout.entity(named: id.runtime.layout.entities[id.entityIndex].name)?.index
    }

    private func find(_ id: NSManagedObjectID, _ reference: StoreReference) -> ObjectRegistry? {
        guard let entity = entity(of: id), let store = coordinator.storeReference(identifier: reference.identifier) else {
            return nil
        }
        return context.registries(store).registry(entity)
    }

    /// An object that another child of the same parent made.
    private func placeOfNewObject(_ id: NSManagedObjectID) -> (registry: ObjectRegistry, key: Int64)? {
        guard let parent = context.parent, let entity = entity(of: id) else { return nil }
        let registry = context.unsavedRegistries.registry(entity)
        if registry.object(id.key) != nil { return (registry, id.key) }
        if let place = context.permanentPlace(of: id.key) { return (context.registries(place.store).registry(entity), place.key) }
        let isKnown = parent.queue.sync { parent.objectForChild(entity: entity, key: id.key, store: nil) != nil }
        return isKnown ? (registry, id.key) : nil
    }
}
