import Foundation

extension NSManagedObjectContext {
    /// Fetches on the context's queue, and hands what was found to a closure there.
    ///
    /// ```swift
    /// let titles = try await context.performFetch(request) { movies in movies.map(\.title) }
    /// ```
    ///
    /// Cancelling the waiting task ends the fetch; the closure is not called then. Unsaved changes count as the request says. Callable on every
    /// thread. Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - request: What to find; used as it is now.
    ///   - body: Gets what was found.
    /// - Returns: What the closure returns. Return IDs or values, not managed objects.
    /// - Throws: As ``fetch(_:)-(NSFetchRequest<T>)``, what the closure throws, or `CancellationError`.
    public nonisolated final func performFetch<T: NSFetchRequestResult & SendableMetatype, Value>(
        _ request: NSFetchRequest<T>, _ body: @escaping @Sendable ([T]) throws -> Value
    ) async throws -> Value {
        let monitor = FetchMonitor()
        // A copy, which is the queue's from now on.
        nonisolated(unsafe) let frozen = request.frozen
        frozen.monitor = monitor
        return try await withTaskCancellationHandler {
            try await perform {
                guard !monitor.isCancelled else { throw CancellationError() }
                do {
                    return try body(try self.fetch(frozen))
                } catch let error as CocoaError where error.code == .userCancelled && monitor.isCancelled {
                    throw CancellationError()
                }
            }
        } onCancel: {
            monitor.cancel()
        }
    }
}
