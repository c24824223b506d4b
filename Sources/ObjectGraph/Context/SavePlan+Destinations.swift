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
