public import Foundation
public import OpenCoreData
import Synchronization

/// A container with a store that no other stack sees, for one test.
///
/// ```swift
/// let stack = try IsolatedStack(entities: Movie.self, Director.self)
/// let movie = Movie(context: stack.viewContext, imdbID: "tt0089881", title: "Ran")
/// ```
///
/// Stacks share nothing, so tests that make one each may run at the same time. The store is closed, and its files are
/// removed, when the stack is released or by ``close()``. Keep the stack as long as its contexts are in use. It may be
/// used on every thread, and the contexts on their queues.
public final class IsolatedStack: Sendable {
    /// Where a stack's store is.
    public enum Place: Sendable {
        /// An SQLite store in memory. It behaves like a file, without the file.
        case memory
        /// An SQLite file in a new folder below the system's folder for temporary files.
        case temporaryFile
    }

    /// The container, with its store loaded.
    public let container: NSPersistentContainer
    /// The file of the store; nil for a store in memory.
    public let storeURL: URL?

    private let folder: URL?
    private let reopened = Mutex<[NSPersistentContainer]>([])

    /// Makes a stack with a model and an empty store.
    ///
    /// - Parameters:
    ///   - model: the model, for example one that is read from a file.
    ///   - place: where the store is.
    ///   - name: the name of the container.
    /// - Throws: the error of loading the store. No files are left then.
    public init(model: NSManagedObjectModel, in place: Place = .memory, name: String = "Test") throws {
        container = NSPersistentContainer(name: name, managedObjectModel: model)
        switch place {
        case .memory:
            (folder, storeURL) = (nil, nil)
        case .temporaryFile:
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "OpenCoreDataTest-\(UUID().uuidString)", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            self.folder = folder
            storeURL = folder.appendingPathComponent("Store.sqlite")
        }
        try load(container)
    }

    /// Makes a stack with an empty store and a model that comes from classes.
    ///
    /// - Parameters:
    ///   - entities: the classes. Superclasses need not be listed, but destinations of relationships must be.
    ///   - place: where the store is.
    /// - Throws: an error that lists all mistakes of the classes, or the error of loading the store.
    public convenience init(entities: any TypedObject.Type..., in place: Place = .memory) throws {
        try self.init(model: NSManagedObjectModel(entities: entities), in: place)
    }

    deinit {
        // The system removes files that can't be removed here. `close()` would report them.
        try? close()
    }

    /// The container's context for the main thread.
    public var viewContext: NSManagedObjectContext { container.viewContext }

    /// Makes a context with a queue of its own. It reads only what was saved.
    public func newBackgroundContext() -> NSManagedObjectContext { container.newBackgroundContext() }

    /// Opens the stack's file once more, with a coordinator of its own. It reads only what is in the file.
    ///
    /// - Returns: a container with its store loaded. The stack closes it at the end.
    /// - Throws: an error if the store is in memory, where it can't be opened again, or the error of loading the store.
    public func reopen() throws -> NSPersistentContainer {
        guard storeURL != nil else {
            throw TestSupportError("A store in memory can't be opened twice. Make the stack with `in: .temporaryFile`.")
        }
        let other = NSPersistentContainer(name: container.name, managedObjectModel: container.managedObjectModel)
        try load(other)
        reopened.withLock { $0.append(other) }
        return other
    }

    /// Closes the stores and removes the files. Contexts can't read or save afterwards. A second call does nothing.
    ///
    /// - Throws: the error of closing a store or of removing the folder.
    public func close() throws {
        let containers = [container] + reopened.withLock { $0 }
        for coordinator in containers.map(\.persistentStoreCoordinator) {
            for store in coordinator.persistentStores { try coordinator.remove(store) }
        }
        if let folder, FileManager.default.fileExists(atPath: folder.path) { try FileManager.default.removeItem(at: folder) }
    }

    private func load(_ container: NSPersistentContainer) throws {
        let description = storeURL.map { NSPersistentStoreDescription(url: $0) } ?? NSPersistentStoreDescription()
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
    }
}
