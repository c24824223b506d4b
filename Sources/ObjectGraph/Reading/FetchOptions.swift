import DataModel
import Foundation
import Storage

/// The form in which a fetch gives its objects.
struct FetchOptions {
    private var affectedStores: [NSPersistentStore]?
    private var refreshes = false
    private var batchSize = 0
    private var prefetching = Prefetching()
    private var monitor: FetchMonitor?

    init() {}

    /// - Throws: 134060 for a path to prefetch or a property to fetch that the entity does not have, and for a negative
    ///   batch size.
    init<T>(_ request: NSFetchRequest<T>, _ entity: EntityLayout, _ context: NSManagedObjectContext) throws {
        affectedStores = request.affectedStores
        monitor = request.monitor
        refreshes = request.shouldRefreshRefetchedObjects
        batchSize = request.fetchBatchSize
        guard batchSize >= 0 else {
            throw NSError.coreData(NSCoreDataError, "fetchBatchSize of a request for “\(entity.name)” must not be negative")
        }
        prefetching = try Prefetching(request.relationshipKeyPathsForPrefetching ?? [], from: entity, context.runtime.layout)
        for case let name as String in request.propertiesToFetch ?? [] where !name.contains(".") {
            guard entity.description.propertiesByName[name] != nil else {
                throw NSError.coreData(
                    NSCoreDataError,
                    "propertiesToFetch of a request for “\(entity.name)” names “\(name)”, which the entity does not have. "
                        + entity.names(entity.description.propertiesByName.keys, insteadOf: name))
            }
        }
    }

    /// The options for the context's parent, whose objects are not held by the program.
    var inParent: FetchOptions {
        var copy = self
        copy.prefetching = Prefetching()
        return copy
    }

    func includes(_ store: NSPersistentStore) -> Bool { affectedStores?.contains { $0 === store } ?? true }

    /// Whether a new object will go to one of the stores.
    func includes(_ object: NSManagedObject) -> Bool {
        guard affectedStores != nil, let coordinator = object.context?.persistentStoreCoordinator else { return true }
        return (try? coordinator.storeForNewObject(object)).map(includes) ?? false
    }

    /// Whether rows come with their values.
    func takesValues(_ includesPropertyValues: Bool) -> Bool { includesPropertyValues && batchSize == 0 || refreshes }

    /// - Parameters:
    ///   - isWatched: whether the monitor counts the rows.
    ///   - keepsNewer: whether loaded objects keep values that are newer than the row.
    func consumer(
        _ context: NSManagedObjectContext, _ registries: StoreRegistries, takesValues: Bool, isWatched: Bool = true,
        keepsNewer: Bool = false
    ) -> ObjectConsumer {
        ObjectConsumer(
            context, registries, takesValues: self.takesValues(takesValues), refreshes: refreshes, keepsNewer: keepsNewer,
            batchSize: batchSize > 0 ? batchSize : FaultBatches.size, monitor: isWatched ? monitor : nil)
    }

    /// Does what is left to do after the stores were read.
    func finish(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try monitor?.check()
        try prefetching.run(objects, in: context)
    }
}
