import Foundation

/// What comes of an ``NSAsynchronousFetchRequest``.
///
/// Results belong to the context's queue: read them in the request's completion block or in a later block of the context.
// @unchecked Sendable: as for the superclass; the request is a copy that nobody changes, and the results are set and read on the context's queue alone.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
    private var found: [ResultType]?

    /// The request.
    public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>

    init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
        fetchRequest = request
        super.init(context, estimatedCount: request.estimatedResultCount)
    }

    /// What was found; nil until it is, and where the fetch failed or was cancelled: then there is an ``NSPersistentStoreAsynchronousResult/operationError``.
    public final var finalResult: [ResultType]? { found }

    /// Takes what is found. On the context's queue.
    final func run(_ find: () throws -> [ResultType]) {
        do {
            try monitor.check()
            let results = try find()
            try monitor.check()
            found = results
            monitor.finish()
        } catch {
            failure = error
        }
    }
}
