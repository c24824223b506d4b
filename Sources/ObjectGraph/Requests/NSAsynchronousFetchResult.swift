import Foundation

/// The result of an ``NSAsynchronousFetchRequest``.
///
/// Results belong to the context's queue: read them in the request's completion block or in a later block of the context.
// @unchecked Sendable: as for the superclass; the request is a copy that does not change, and the results are set and
// read only on the context's queue.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult, @unchecked Sendable {
    private var found: [ResultType]?

    /// The request.
    public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>

    init(_ request: NSAsynchronousFetchRequest<ResultType>, _ context: NSManagedObjectContext) {
        fetchRequest = request
        super.init(context, estimatedCount: request.estimatedResultCount)
    }

    /// The results. Nil while the fetch is running, and if it failed or was cancelled: then there is an
    /// ``NSPersistentStoreAsynchronousResult/operationError``.
    public final var finalResult: [ResultType]? { found }

    /// Takes the results of `find`. Must be called on the context's queue.
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
