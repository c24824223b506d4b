import OpenCoreData

/// A store that is open, with one private-queue context.
final class StoreSession {
    let model: NSManagedObjectModel
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    init(_ url: URL, _ model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil) throws {
        self.model = model
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    func contents() throws -> StoreContents {
        let model = model
        return try context.run { try StoreContents(of: $0, model) }
    }

    /// Closes the files.
    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
}

extension NSManagedObjectContext {
    /// Runs on the context's queue and waits: the body's captures are used by one thread at a time.
    func run<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) rethrows -> T {
        nonisolated(unsafe) let body = body
        return try performAndWait { try body(self) }
    }
}
