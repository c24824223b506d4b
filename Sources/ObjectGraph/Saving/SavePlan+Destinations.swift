import DataModel
import Foundation
import Storage

extension SavePlan {
    /// Refuses relationships that lead to objects of another store: a row can only name rows of its own store.
    ///
    /// - Throws: 133010 with the object, and its destination in the other store.
    func requireOwnDestinations(_ coordinator: NSPersistentStoreCoordinator) throws {
        for entity in model.entities {
            let relationships = entity.storedRelationships
            for object in written(entity) {
                for relationship in relationships {
                    guard let link = object.links?[relationship.index] else { continue }
                    let members = (link as? _ToManyObjects).map { Array($0.added.values) }
                    for destination in members ?? [link as? NSManagedObject].compactMap({ $0 }) {
                        guard !destination.isDeleted, !destination._state.contains(.gone) else { continue }
                        let other = try coordinator.storeForNewObject(destination)
                        if other !== store { throw strangerError(object, relationship, destination, other) }
                    }
                }
            }
        }
    }

    /// Refuses relationships without inverse that lead to rows which others have deleted. No version shows this.
    ///
    /// - Throws: 1550 with the object and its relationship.
    func requireDestinationsWithoutInverse() throws {
        var keys = [Set<Int64>](repeating: [], count: model.entities.count)
        try forEachDestinationWithoutInverse { keys[$2.layout.index].insert($2.key) }
        for entity in model.entities where !keys[entity.index].isEmpty {
            let keys = keys[entity.index]
            var request = RowRequest(entity, selection: .keys(Array(keys)))
            request.includesSubentities = false
            // One query for all of them. The missing one is searched only if there is one.
            guard try store.count(request) < keys.count else { continue }
            try forEachDestinationWithoutInverse { object, relationship, destination in
                guard try store.loadRow(destination.layout, key: destination.key) == nil else { return }
                throw object.danglingError(relationship, destination, "which was deleted elsewhere")
            }
        }
    }

    /// Calls `body` for each relationship without inverse that is written and leads to a row that the store had before,
    /// with the object and the destination.
    private func forEachDestinationWithoutInverse(
        _ body: (NSManagedObject, RelationshipLayout, NSManagedObject) throws -> Void
    ) throws {
        let reference = store.reference
        for entity in model.entities {
            let relationships = entity.storedRelationships.filter { $0.inverse == nil }
            guard !relationships.isEmpty else { continue }
            for object in written(entity) {
                guard let links = object.links else { continue }
                for relationship in relationships where object.isInserted || object.isMarked(relationship.slot) {
                    guard let link = links[relationship.index] else { continue }
                    func check(_ destination: NSManagedObject) throws {
                        guard destination._state.isDisjoint(with: [.inserted, .deleted]), destination.registry.store === reference
                        else { return }
                        try body(object, relationship, destination)
                    }
                    if relationship.isToMany {
                        for member in unsafeDowncast(link, to: _ToManyObjects.self).added.values { try check(member) }
                    } else {
                        try check(unsafeDowncast(link, to: NSManagedObject.self))
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
