import DataModel

/// What the typed layer asks a context.
extension NSManagedObjectContext {
    /// Whether the caller may use the context now. Callable on every thread.
    package final var isOnQueue: Bool { queue.allowsAccess }

    /// The entities with objects of a class or its subclasses, without those whose superentity is among them.
    package final func topEntities<Object: NSManagedObject>(of objectClass: Object.Type) -> [NSEntityDescription] {
        let runtime = runtime
        let fits = runtime.classes.map { $0 is Object.Type }
        return runtime.layout.entities.filter { fits[$0.index] && !($0.parent.map { fits[$0] } ?? false) }.map(\.description)
    }
}
