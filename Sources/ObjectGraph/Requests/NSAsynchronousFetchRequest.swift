public import Foundation

/// A fetch that does not keep its caller waiting: ``NSManagedObjectContext/execute(_:)`` returns at once, and the
/// results come later.
///
/// If one SQLite store can answer the fetch alone, it is read on another thread, from a snapshot that does not keep
/// others from saving. The objects are made on the context's queue, after the blocks that wait there already. Every
/// other fetch runs on that queue: over several stores, with stores in memory, in a child context, and with predicates
/// and orders that need objects. Prefetching is done there, too. Unsaved changes of the context don't count.
/// ``NSManagedObjectContext/performFetch(_:_:)`` is the form for `async` functions.
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// What to fetch. It is a copy: changing the request that was given has no effect.
    public final let fetchRequest: NSFetchRequest<ResultType>

    /// Called with the results, on the context's queue.
    public final let completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

    /// The expected number of results, for the progress; 0, the default, if it is unknown.
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
        // From now on the copy and the block belong to the queue.
        nonisolated(unsafe) let work = (request: request, completion: completionBlock)
        @Sendable func finish(_ find: @escaping @Sendable () throws -> [ResultType]) {
            context.perform {
                result.run(find)
                work.completion?(result)
            }
        }
        do {
            guard let fetch = try OffQueueFetch(request, in: context) else {
                finish { try context.typedResults(of: work.request) }
                return result
            }
            DispatchQueue.global().async {
                fetch.read()
                finish { try fetch.results() }
            }
        } catch {
            finish { throw error }
        }
        return result
    }
}
