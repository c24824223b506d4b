import Foundation
import OpenCoreData
import TestSupport

/// A container with a store that is ready for use, in memory or in a file.
struct TestStore {
    let container: NSPersistentContainer
    let context: NSManagedObjectContext

    init(_ container: NSPersistentContainer, at url: URL? = nil) throws {
        let description = NSPersistentStoreDescription(url: url ?? URL(fileURLWithPath: "/dev/null"))
        description.type = url == nil ? NSInMemoryStoreType : NSSQLiteStoreType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        self.container = container
        context = container.newBackgroundContext()
    }

    /// A store for the classes of `Cinema.swift`.
    static func cinema(at url: URL? = nil) throws -> TestStore {
        try TestStore(
            NSPersistentContainer(name: "Cinema", entities: Director.self, Movie.self, SecondPart.self, Scene.self), at: url)
    }

    /// Runs on the queue of the store's context, and waits. What the body captures is therefore used by one thread at a time.
    func run<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) throws -> T {
        try Self.run(context, body)
    }

    /// Runs on another context of the same store: what it reads was saved.
    func fresh<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) throws -> T {
        try Self.run(container.newBackgroundContext(), body)
    }

    private static func run<T>(
        _ context: NSManagedObjectContext, _ body: @escaping (NSManagedObjectContext) throws -> T
    ) throws -> T {
        // The test waits meanwhile, so nothing captured is used elsewhere.
        nonisolated(unsafe) let body = body
        return try context.performAndWait { try body(context) }
    }
}
