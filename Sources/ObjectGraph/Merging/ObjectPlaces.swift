import DataModel

/// Finds out where a context keeps the objects of IDs that another context, coordinator or process made. Looks names up once per entity.
struct ObjectPlaces {
    private struct Source: Hashable {
        let runtime: ObjectIdentifier
        let store: ObjectIdentifier
        let entity: Int
    }

    private let context: NSManagedObjectContext
    private let coordinator: NSPersistentStoreCoordinator
    private var places: [Source: (registry: ObjectRegistry, store: StoreReference)?] = [:]

    init(_ context: NSManagedObjectContext, _ coordinator: NSPersistentStoreCoordinator) {
        self.context = context
        self.coordinator = coordinator
    }

    /// Nil for temporary IDs, and for stores and entities that the context's coordinator does not have.
    mutating func place(of id: NSManagedObjectID) -> (registry: ObjectRegistry, store: StoreReference)? {
        guard let reference = id.storeReference else { return nil }
        let source = Source(runtime: ObjectIdentifier(id.runtime), store: ObjectIdentifier(reference), entity: id.entityIndex)
        if let known = places[source] { return known }
        let place = find(id, reference)
        places[source] = .some(place)
        return place
    }

    private func find(_ id: NSManagedObjectID, _ reference: StoreReference) -> (registry: ObjectRegistry, store: StoreReference)?
    {
        let name = id.runtime.layout.entities[id.entityIndex].name
        guard let entity = coordinator.runtime.layout.entity(named: name)?.index,
            let store = coordinator.storeReference(identifier: reference.identifier)
        else { return nil }
        return (context.registries(store).registry(entity), store)
    }
}
