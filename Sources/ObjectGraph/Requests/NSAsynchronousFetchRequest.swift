import Foundation

/// A fetch that does not keep its caller waiting: ``NSManagedObjectContext/execute(_:)`` returns at once, and what was found comes later.
///
/// The fetch runs on the context's queue, after the blocks that wait there already. Unsaved changes of the context don't count.
/// ``NSManagedObjectContext/performFetch(_:_:)`` is the form for `async` functions.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// What to fetch. A copy: changing the request that was given changes nothing.
    public final let fetchRequest: NSFetchRequest<ResultType>

    /// Called with the results, on the context's queue.
    public final let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

    /// How many results are expected, for the progress; 0, the default, for unknown.
    public final var estimatedResultCount = 0

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - request: What to fetch.
    ///   - blk: Called once, on the context's queue, when the fetch is done, has failed or was cancelled.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request.frozen
        completionBlock = blk
        super.init()
    }

    /// Always a fetch.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A request that asks the same.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSAsynchronousFetchRequest(fetchRequest: fetchRequest, completionBlock: completionBlock)
        copy.affectedStores = affectedStores
        copy.estimatedResultCount = estimatedResultCount
        return copy
    }
}

extension NSAsynchronousFetchRequest: ExecutableRequest {
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let result = NSAsynchronousFetchResult(self, context)
        let request = fetchRequest.frozen
        request.affectedStores = affectedStores ?? request.affectedStores
        request.includesPendingChanges = false
        request.monitor = result.monitor
        // The copy and the block are the queue's from now on.
        nonisolated(unsafe) let work = (request: request, completion: completionBlock)
        context.perform {
            result.run(work.request)
            work.completion?(result)
        }
        return result
    }
}
