import DataModel
import Foundation
import Storage

/// The form in which a fetch gives its objects.
struct FetchOptions {
    private let affectedStores: [NSPersistentStore]?
    private var prefetching: Prefetching
    private let monitor: FetchMonitor?
    /// The way in which objects are made from rows.
    private let rowOptions: ObjectConsumer.Options

    /// - Throws: 134060 for a path to prefetch or a property to fetch that the entity does not have, and for a negative
    ///   batch size.
    init<T>(_ request: NSFetchRequest<T>, _ entity: EntityLayout, _ context: NSManagedObjectContext) throws {
        affectedStores = request.affectedStores
        monitor = request.monitor
        let batchSize = request.fetchBatchSize
        guard batchSize >= 0 else {
            throw NSError.coreData(NSCoreDataError, "fetchBatchSize of a request for “\(entity.name)” must not be negative")
        }
        let refreshes = request.shouldRefreshRefetchedObjects
        // The values of a batch are read when they are needed.
        let takesValues = refreshes || request.includesPropertyValues && batchSize == 0
        rowOptions = ObjectConsumer.Options(
            takesValues: takesValues, refreshes: refreshes, batchSize: batchSize > 0 ? batchSize : FaultBatches.size,
            monitor: request.monitor)
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
    var takesValues: Bool { rowOptions.takesValues }

    /// Takes the rows that a store finds for the request.
    func consumer(_ context: NSManagedObjectContext, _ registries: StoreRegistries) -> ObjectConsumer {
        ObjectConsumer(context, registries, rowOptions)
    }

    /// Takes rows that were read, and counted, before.
    ///
    /// - Parameter keepsNewer: Whether loaded objects keep values that are newer than the row.
    func consumerOfEarlierRows(
        _ context: NSManagedObjectContext, _ registries: StoreRegistries, keepsNewer: Bool
    ) -> ObjectConsumer {
        var options = rowOptions
        options.keepsNewer = keepsNewer
        options.monitor = nil
        return ObjectConsumer(context, registries, options)
    }

    /// Does what is left to do after the stores were read.
    func finish(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        try monitor?.check()
        try prefetching.run(objects, in: context)
    }
}
