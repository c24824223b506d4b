package import DataModel
public import Foundation
import Predicates

/// Deletes many rows of a store without loading objects.
///
/// ```swift
/// let request = NSBatchDeleteRequest(fetchRequest: NSFetchRequest<Movie>(entityName: "Movie"))
/// request.resultType = .resultTypeObjectIDs
/// let result = try context.execute(request) as? NSBatchDeleteResult
/// let ids = result?.result as? [NSManagedObjectID] ?? []
/// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
/// ```
///
/// The store applies the delete rules: cascade deletes rows that the result does not name, nullify removes the deleted
/// rows from the relationships of others. A deny rule (1600), and a required relationship that would become nil (1570),
/// make the request fail, and nothing is deleted. Objects are not asked: neither `prepareForDeletion()` nor validation
/// is called. The store's history has all changes, with the context's author.
///
/// Contexts don't see the changes until they are merged, as the last line of the example does. That line does not
/// include rows that a delete rule deleted; a context that has them finds out when it loads or saves them. The typed
/// `batchDelete(_:where:mergingInto:)` merges all changes.
///
/// It works with SQLite stores; others fail with 134091. A request belongs to one thread at a time.
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    private let objectIDs: [NSManagedObjectID]?

    /// The rows to delete. The predicate, sort descriptors, limit, offset and inclusion of subentities are respected.
    /// It is a copy of the request that was given.
    public final let fetchRequest: NSFetchRequest<any NSFetchRequestResult>

    /// The kind of result. The status by default.
    public final var resultType = NSBatchDeleteRequestResultType.resultTypeStatusOnly

    private init(_ settings: FetchSettings, _ stores: [NSPersistentStore]?, _ ids: [NSManagedObjectID]?) {
        fetchRequest = NSFetchRequest(settings, affectedStores: stores)
        objectIDs = ids
        super.init()
        affectedStores = stores
    }

    /// Makes a request for the rows that a fetch would find in the store. Its predicate must be one that the store can
    /// evaluate, so it can't have closures.
    ///
    /// Unlike Apple's initializer it takes a request of any result type, so that no cast is needed.
    public convenience init<T>(fetchRequest fetch: NSFetchRequest<T>) { self.init(fetch.settings, fetch.affectedStores, nil) }

    /// Makes a request for rows by their IDs, which must be permanent and of one entity or of entities with a common ancestor.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        var settings = FetchSettings()
        settings.entity = objects.first?.entity
        settings.predicate = NSPredicate(format: "SELF IN %@", objects)
        self.init(settings, nil, objects)
    }

    /// Further entities, whose objects are deleted in the same transaction.
    package final var otherEntities: [NSEntityDescription] = []

    /// A batch delete.
    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// A request that asks the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchDeleteRequest(fetchRequest.settings, affectedStores, objectIDs)
        copy.otherEntities = otherEntities
        copy.resultType = resultType
        return copy
    }
}

extension NSBatchDeleteRequest: ExecutableRequest, BatchRequest {
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        if let objectIDs, objectIDs.isEmpty { return NSBatchDeleteResult([], count: 0, resultType) }
        let wantsIDs = resultType == .resultTypeObjectIDs
        let results = try outcomes(in: context, takesEveryStore: false, wantsIDs: wantsIDs)
        return NSBatchDeleteResult(wantsIDs ? results.ids : [], count: results.count, resultType)
    }

    package func outcomes(in context: NSManagedObjectContext, takesEveryStore: Bool, wantsIDs: Bool) throws -> BatchResults {
        let batch = try Batch(
            fetchRequest.entityName ?? "", and: otherEntities, context, affectedStores, verb: "deleted",
            takesEveryStore: takesEveryStore)
        let deletion = BatchDeletion(batch)
        return BatchResults(
            outcomes: try objectIDs.map { try deletion.delete($0) } ?? deletion.delete(fetchRequest.settings),
            runtime: batch.runtime)
    }
}
