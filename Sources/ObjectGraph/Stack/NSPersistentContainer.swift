public import DataModel
public import Foundation

/// A model, a coordinator and a main-queue context, set up together.
// @unchecked Sendable: the descriptions are set up before the stores are loaded; everything else is constant.
open class NSPersistentContainer: NSObject, @unchecked Sendable {
    /// The name, which is also that of the store file and of the model file.
    public final let name: String
    /// A context on the main queue.
    public final let viewContext: NSManagedObjectContext
    /// The model.
    public final let managedObjectModel: NSManagedObjectModel
    /// The coordinator.
    public final let persistentStoreCoordinator: NSPersistentStoreCoordinator
    /// The stores to load: one SQLite store in ``defaultDirectoryURL()`` unless set otherwise.
    public final var persistentStoreDescriptions: [NSPersistentStoreDescription]

    /// Makes a container with a model that is already loaded.
    ///
    /// - Parameters:
    ///   - name: The name of the container and of its store file.
    ///   - model: The model, which can't be changed from now on.
    public init(name: String, managedObjectModel model: NSManagedObjectModel) {
        self.name = name
        managedObjectModel = model
        persistentStoreCoordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        viewContext = NSManagedObjectContext(.mainQueue)
        viewContext.persistentStoreCoordinator = persistentStoreCoordinator
        viewContext.name = "viewContext"
        persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: Self.defaultDirectoryURL().appendingPathComponent("\(name).sqlite"))
        ]
        super.init()
    }

    /// Makes a container with the model of the same name from the main bundle or the resources of the program's Swift
    /// packages: `<name>.momd`, as the build tool plugin `CoreDataModels` makes it, or `<name>.xcdatamodeld` or
    /// `<name>.xcdatamodel` as a resource that is copied.
    ///
    /// As with Apple's framework, a model that is missing or wrong is reported on the standard error output, and the
    /// container's model is empty then.
    ///
    /// - Parameter name: The name of the container, its model and its store file.
    public convenience init(name: String) {
        let folders = ModelSearch.folders(of: nil)
        let file = ModelSearch.models(in: folders).first { $0.deletingPathExtension().lastPathComponent == name }
        if file == nil {
            let places = folders.map(\.path).joined(separator: ", ")
            NSManagedObjectModel.report("There is no model “\(name).xcdatamodeld” in \(places)")
        }
        let model = file.flatMap { NSManagedObjectModel(contentsOf: $0) }
        self.init(name: name, managedObjectModel: model ?? NSManagedObjectModel())
    }

    /// Where containers put their stores: `Application Support`, on Linux `$XDG_DATA_HOME` or `~/.local/share`, and
    /// there a folder with the program's name. The folder is made if it does not exist.
    open class func defaultDirectoryURL() -> URL {
        let manager = FileManager.default
        let base =
            ProcessInfo.processInfo.environment["XDG_DATA_HOME"].map { URL(fileURLWithPath: $0, isDirectory: true) }
            ?? manager.urls(for: .applicationSupportDirectory, in: .userDomainMask).first ?? manager.temporaryDirectory
        let folder = base.appendingPathComponent(ProcessInfo.processInfo.processName, isDirectory: true)
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            // This method can't report an error. Loading the store reports that its folder is missing.
            FileHandle.standardError.write(Data("Core Data: can't make \(folder.path): \(error.localizedDescription)\n".utf8))
        }
        return folder
    }

    /// Opens the stores that ``persistentStoreDescriptions`` describes.
    ///
    /// - Parameter block: Called once for each, with the error if it could not be opened; before this method returns,
    ///   unless the description says `shouldAddStoreAsynchronously`.
    public final func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        for description in persistentStoreDescriptions {
            persistentStoreCoordinator.addPersistentStore(with: description, completionHandler: block)
        }
    }

    /// Opens the stores that ``persistentStoreDescriptions`` describes, one after the other, and returns when all are open.
    ///
    /// Apple's framework has only the form with a completion handler.
    ///
    /// - Throws: The error of the first store that can't be opened.
    public final func loadPersistentStores() throws {
        for description in persistentStoreDescriptions {
            try persistentStoreCoordinator.addPersistentStore(
                ofType: description.type, configurationName: description.configuration, at: description.url,
                options: description.options)
        }
    }

    /// Makes a private-queue context on the container's coordinator.
    open func newBackgroundContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }

    /// Runs a block with a new private-queue context, on its queue. Nothing is saved unless the block does it.
    @preconcurrency
    public final func performBackgroundTask(_ block: @escaping @Sendable (NSManagedObjectContext) -> Void) {
        let context = newBackgroundContext()
        context.perform { block(context) }
    }

    /// Runs a block with a new private-queue context, on its queue. Nothing is saved unless the block does it.
    ///
    /// - Returns: What the block returns. Return IDs or values, not managed objects.
    @preconcurrency
    public final func performBackgroundTask<T>(_ block: @escaping @Sendable (NSManagedObjectContext) throws -> T) async rethrows
        -> T
    {
        let context = newBackgroundContext()
        return try await context.performReturning(.immediate) { try block(context) }
    }

    /// The form for blocks that return managed objects. It works like the other one, but the compiler warns, because
    /// the objects' context is gone when the block's result is used.
    @available(*, deprecated, message: "managed objects may be used only on their context's queue: return object IDs or values")
    @preconcurrency
    public final func performBackgroundTask<T: _ManagedObjectResult>(
        _ block: @escaping @Sendable (NSManagedObjectContext) throws -> T
    ) async rethrows -> T {
        let context = newBackgroundContext()
        return try await context.performReturning(.immediate) { try block(context) }
    }
}
