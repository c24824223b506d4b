package import DataModel
import Foundation
import Storage

/// Questions of the typed layer to a context.
extension NSManagedObjectContext {
    /// Whether the caller may use the context now. Callable on every thread.
    package final var isOnQueue: Bool { queue.allowsAccess }

    /// The indices of all entities with objects of a class or its subclasses.
    package final func entityIndices(of objectClass: (some NSManagedObject).Type) -> [Int] {
        func fits<Object: NSManagedObject>(_ known: NSManagedObject.Type, _ wanted: Object.Type) -> Bool { known is Object.Type }
        return runtime.classes.indices.filter { fits(runtime.classes[$0], objectClass) }
    }

    /// Reports a class once on standard error if it is observed although no entity has objects of it. Its observers
    /// would never be called.
    package final func requireEntity<Object: NSManagedObject>(of objectClass: Object.Type) {
        persistentStoreCoordinator?.managedObjectModel.requireEntity(of: objectClass)
    }

    /// The entities with objects of a class or its subclasses, without those whose superentity is among them.
    package final func topEntities<Object: NSManagedObject>(of objectClass: Object.Type) -> [NSEntityDescription] {
        let runtime = runtime
        let fits = runtime.classes.map { $0 is Object.Type }
        return runtime.layout.entities.filter { fits[$0.index] && !($0.parent.map { fits[$0] } ?? false) }.map(\.description)
    }

    /// Loads the destinations of objects of an entity, with one query for each step of a path. A child context loads
    /// nothing: it asks its parent.
    ///
    /// - Throws: 134060 for a path that does not lead along relationships.
    package final func prefetch(_ paths: [String], of objects: [NSManagedObject], _ entity: NSEntityDescription) throws {
        guard let layout = runtime.layout.entity(named: entity.name ?? "") else { return }
        let prefetching = try Prefetching(paths, from: layout, runtime.layout)
        if parent == nil { try prefetching.run(objects, in: self) }
    }
}

extension NSManagedObjectModel {
    /// Reports a class once on standard error if it is observed although no entity has objects of it. Its observers
    /// would never be called.
    package final func requireEntity<Object: NSManagedObject>(of objectClass: Object.Type) {
        guard !ModelRuntime.of(self).classes.contains(where: { $0 is Object.Type }) else { return }
        NSManagedObjectModel.reportOnce(
            "\(objectClass) is observed, but no entity of the model has objects of this class, so its observers will never be called: give an entity of the "
                + "model the class \(objectClass), or observe a class that an entity has (the model's entities: "
                + "\(entities.compactMap(\.name).sorted().joined(separator: ", ")))")
    }
}
