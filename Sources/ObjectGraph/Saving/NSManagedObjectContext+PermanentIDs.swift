import DataModel
import Storage

/// From temporary IDs to permanent ones, also if an object is new in one context and known by its temporary ID in
/// others.
extension NSManagedObjectContext {
    /// Gives a new object its permanent key.
    final func giveKey(_ key: Int64, to object: NSManagedObject, in registry: ObjectRegistry) {
        // Other contexts know only their parent's temporary keys. Holders of the temporary ID find the object by
        // `NSManagedObjectID.successor`.
        if let store = registry.store, stackPlace.hasChildren || parent != nil {
            shared.permanentPlaces.set(object.key, store, key)
        }
        object.move(to: registry, key: key)
    }

    /// The present place of the object that had a temporary key; nil if it still has this key, or never had it.
    final func permanentPlace(of temporaryKey: Int64) -> (store: StoreReference, key: Int64)? {
        if let place = shared.permanentPlaces[temporaryKey] { return place }
        guard let parent else { return nil }
        adoptPermanentIDs()
        if let place = shared.permanentPlaces[temporaryKey] { return place }
        guard let place = parent.queue.sync({ parent.permanentPlace(of: temporaryKey) }) else { return nil }
        shared.permanentPlaces.set(temporaryKey, place.store, place.key)
        return place
    }

    /// Whether a context above has given permanent IDs since the last look. Callable on every thread.
    private final var mayAdopt: Bool {
        guard let parent else { return false }
        return !shared.permanentPlaces.isUpToDate(with: parent.shared.permanentPlaces) || parent.mayAdopt
    }

    /// Gives permanent IDs to objects that this context knows by temporary IDs, if they have them in the parent.
    final func adoptPermanentIDs() {
        guard let parent, mayAdopt else { return }
        parent.queue.sync {
            parent.adoptPermanentIDs()
            adoptPermanentIDs(of: parent)
        }
    }

    /// The same for a caller that is on the queues of both contexts.
    final func adoptPermanentIDs(of parent: NSManagedObjectContext) {
        guard !shared.permanentPlaces.isUpToDate(with: parent.shared.permanentPlaces) else { return }
        shared.permanentPlaces.catchUp(with: parent.shared.permanentPlaces)
        for object in uniquing.unsaved?.objects ?? [] where !object._state.contains(.inserted) {
            guard let place = parent.permanentPlace(of: object.key) else { continue }
            giveKey(place.key, to: object, in: registries(place.store).registry(object.layout.index))
        }
    }

    /// Obtains the permanent ID in the parent, which got the object by an earlier save.
    final func obtainPermanentIDInParent(of object: NSManagedObject) throws {
        guard let parent else { return }
        let (entity, key) = (object.layout.index, object.key)
        let place = try parent.queue.sync { () -> (store: StoreReference, key: Int64)? in
            guard let inParent = parent.objectForChild(entity: entity, key: key, store: nil) else { return nil }
            try parent.obtainPermanentIDs(for: [inParent])
            return inParent.registry.store.map { ($0, inParent.key) }
        }
        guard let place, object.key == key else { return }
        giveKey(place.key, to: object, in: registries(place.store).registry(entity))
    }
}
