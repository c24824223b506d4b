import DataModel
import Foundation

extension SavePlan {
    /// Refuses relationships that lead to objects of another store: a row can name rows of its own store only.
    ///
    /// - Throws: 133010 with the object, and its destination in the other store.
    func requireOwnDestinations(_ coordinator: NSPersistentStoreCoordinator) throws {
        for entity in model.entities {
            let relationships = entity.relationships.filter { $0.storage != .transient }
            for object in written(entity) {
                for relationship in relationships {
                    guard let link = object.links?[relationship.index] else { continue }
                    let members = (link as? ToManyObjects).map { Array($0.added.values) }
                    for destination in members ?? [link as? NSManagedObject].compactMap({ $0 }) {
                        guard !destination.isDeleted, !destination._state.contains(.gone) else { continue }
                        let other = try coordinator.storeForNewObject(destination)
                        if other !== store { throw strangerError(object, relationship, destination, other) }
                    }
                }
            }
        }
    }

    /// Refuses relationships without inverse that lead to rows which others have deleted: no version tells of them.
    ///
    /// - Throws: 1550 with the object and its relationship.
    func requireDestinationsWithoutInverse() throws {
        for entity in model.entities {
            let relationships = entity.relationships.filter { $0.inverse == nil && $0.storage != .transient }
            guard !relationships.isEmpty else { continue }
            for object in written(entity) {
                guard let links = object.links else { continue }
                let marked = object.markedSlots
                for relationship in relationships where object.isInserted || marked.contains(relationship.slot) {
                    guard let link = links[relationship.index] else { continue }
                    let members = (link as? ToManyObjects).map { Array($0.added.values) }
                    for destination in members ?? [link as? NSManagedObject].compactMap({ $0 })
                    where !destination.isInserted && !destination.isDeleted && destination.registry.store === store.reference {
                        guard try store.loadRow(destination.layout, key: destination.key) == nil else { continue }
                        throw object.danglingError(relationship, destination, "which was deleted elsewhere")
                    }
                }
            }
        }
    }

    private func strangerError(
        _ object: NSManagedObject, _ relationship: RelationshipLayout, _ destination: NSManagedObject, _ other: NSPersistentStore
    ) -> NSError {
        func name(_ store: NSPersistentStore) -> String { store.url?.path ?? "in memory, \(store.configurationName)" }
        return .coreData(
            NSManagedObjectExternalRelationshipError,
            "“\(relationship.name)” of \(object.layout.name) \(object.objectID), which is in the store \(name(store)), can't lead to "
                + "\(destination.layout.name) \(destination.objectID) in the store \(name(other))",
            [NSAffectedObjectsErrorKey: [object, destination], NSAffectedStoresErrorKey: [store, other]])
    }
}
