package import DataModel
import Foundation
package import ObjectGraph
import Predicates
package import Storage
package import TestSupport
package import Testing

/// A coordinator with one store, and a private context on it.
package final class TestStack: Sendable {
    package let kind: StackKind
    package let model: NSManagedObjectModel
    package let folder: TemporaryFolder
    package let coordinator: NSPersistentStoreCoordinator
    package let store: NSPersistentStore
    package let context: NSManagedObjectContext

    /// - Parameters:
    ///   - folder: An existing folder with a store of another stack, to open that one again.
    ///   - engine: What stands in for the store's engine.
    package init(
        _ kind: StackKind, _ model: NSManagedObjectModel, folder: TemporaryFolder? = nil,
        engine: ((any StorageEngine) -> any StorageEngine)? = nil
    ) throws {
        self.kind = kind
        self.model = model
        self.folder = try folder ?? TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        coordinator.engineReplacement = engine ?? kind.engine
        store = try coordinator.addPersistentStore(
            ofType: kind.storeType, configurationName: nil, at: kind.isFile ? self.folder.file("store.sqlite") : nil)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
    }

    /// Another context on the same coordinator.
    package func newContext(_ type: NSManagedObjectContext.ConcurrencyType = .privateQueue) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(type)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// Runs on the queue of the stack's context, and waits. What the body captures is therefore used by one thread at a time.
    @discardableResult
    package func run<T>(at location: SourceLocation = #_sourceLocation, _ body: (NSManagedObjectContext) throws -> T) throws -> T
    {
        try context.run(at: location, body)
    }

    /// Runs on another context of the same store: what it reads was saved.
    @discardableResult
    package func fresh<T>(at location: SourceLocation = #_sourceLocation, _ body: (NSManagedObjectContext) throws -> T) throws
        -> T
    {
        try newContext().run(at: location, body)
    }

    /// The names of all objects of an entity as another context reads them: what was saved. In order.
    package func savedNames(_ entity: String, at location: SourceLocation = #_sourceLocation) throws -> [String?] {
        try fresh(at: location) { context in try context.all(entity).map { $0.text("name") } }
    }

    /// The statements that the store is sent meanwhile.
    package func statements(_ body: () throws -> Void) throws -> [String] {
        let log = SharedLog()
        let number = try #require(store.addStatementHandler { log.add($0) }, "The store sends no statements.")
        defer { store.removeStatementHandler(number) }
        try body()
        return log.all
    }

    /// Opens the store file once more, with a coordinator of its own.
    package func reopened() throws -> TestStack { try TestStack(kind, model, folder: folder) }
}

extension NSManagedObjectContext {
    /// Runs on the context's queue with the context, checks the graph afterwards, and waits.
    @discardableResult
    package func run<T>(at location: SourceLocation = #_sourceLocation, _ body: (NSManagedObjectContext) throws -> T) throws -> T
    {
        // The test waits meanwhile, so nothing captured is used elsewhere.
        nonisolated(unsafe) let body = body
        return try performAndWait {
            // Reactions mostly hold the context that holds them.
            defer { stopReacting() }
            let result = try body(self)
            GraphChecker.check(self, at: location)
            return result
        }
    }

    /// Checks the graph in the middle of a test.
    package func check(at location: SourceLocation = #_sourceLocation) { GraphChecker.check(self, at: location) }

    /// Inserts an object of an entity and sets some of its properties.
    @discardableResult
    package func make(_ entity: String, _ values: [String: Any?] = [:]) -> Recorder {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
        guard let recorder = object as? Recorder else { fatalError("\(entity) has objects of class \(type(of: object))") }
        for (key, value) in values.sorted(by: { $0.key < $1.key }) { recorder.setValue(value, forKey: key) }
        return recorder
    }

    /// All objects of an entity, sorted by an attribute.
    package func all(_ entity: String, by key: String = "name") throws -> [Recorder] {
        let request = NSFetchRequest<Recorder>(entityName: entity)
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return try fetch(request)
    }

    /// The object of an entity with a name.
    package func named(_ name: String, _ entity: String) throws -> Recorder {
        let request = NSFetchRequest<Recorder>(entityName: entity)
        request.predicate = NSPredicate { object, _ in (object as? Recorder)?.text("name") == name }
        guard let found = try fetch(request).first else { throw CocoaError(.fileNoSuchFile) }
        return found
    }
}

extension NSManagedObject {
    package func text(_ key: String) -> String? { value(forKey: key) as? String }
    package func number(_ key: String) -> Int? { (value(forKey: key) as? NSNumber)?.intValue }
    package func one(_ key: String) -> NSManagedObject? { value(forKey: key) as? NSManagedObject }
    package func many(_ key: String) -> Set<NSManagedObject> { value(forKey: key) as? Set<NSManagedObject> ?? [] }
    package func list(_ key: String) -> [NSManagedObject] {
        (value(forKey: key) as? NSOrderedSet)?.array as? [NSManagedObject] ?? []
    }
    package func set(_ key: String, _ value: Any?) { setValue(value, forKey: key) }

    package func add(_ object: NSManagedObject, to key: String) { setValue(many(key).union([object]), forKey: key) }
    package func remove(_ object: NSManagedObject, from key: String) { setValue(many(key).subtracting([object]), forKey: key) }

    /// The text attribute "name" of the destinations.
    package func names(_ key: String) -> Set<String> { Set(many(key).compactMap { $0.text("name") }) }
    package func nameList(_ key: String) -> [String] { list(key).compactMap { $0.text("name") } }
}

extension [Recorder] {
    /// The objects, none of them a fault: what others save does not change their values.
    package var loaded: [Recorder] {
        for object in self { object.willAccessValue(forKey: nil) }
        return self
    }
}
