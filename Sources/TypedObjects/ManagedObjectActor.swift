public import ObjectGraph

/// An actor that runs on the queue of a managed object context. `@ManagedActor` makes an actor conform.
public protocol ManagedObjectActor: Actor {
    /// The context whose queue is the actor's executor.
    nonisolated var managedObjectContext: NSManagedObjectContext { get }
}

extension ManagedObjectActor {
    /// The context, for the actor's own code.
    public var context: NSManagedObjectContext { managedObjectContext }

    /// The object of a reference, for the actor's own code.
    ///
    /// - Throws: 133000 if the object no longer exists, or the store's error.
    public subscript<Object: NSManagedObject>(id: ManagedObjectID<Object>) -> Object {
        get throws { try managedObjectContext[id] }
    }
}
