import Foundation

extension NSManagedObjectContext {
    /// Fetches without keeping the context's queue busy, and hands the results to a closure on that queue.
    ///
    /// ```swift
    /// let titles = try await context.performFetch(request) { movies in movies.map(\.title) }
    /// ```
    ///
    /// If one SQLite store can answer the fetch alone, it is read on another thread, while blocks of the context go on.
    /// The objects are made on the context's queue, where prefetching is done, too. Every other fetch runs on the
    /// queue: if unsaved changes count and there are some, in a child context, for predicates and orders that need
    /// objects, and with stores in memory. Changes, saves, merges and batch requests of the context while its fetch is
    /// under way count, too. Saves of others may not count.
    ///
    /// Cancelling the waiting task ends the fetch; the closure is not called then. Unsaved changes count as the request
    /// says. Callable on every thread. Not in Apple's framework.
    ///
    /// - Parameters:
    ///   - request: What to find. Later changes of the request have no effect.
    ///   - body: Gets the results.
    /// - Returns: What the closure returns. Return IDs or values, not managed objects.
    /// - Throws: As ``fetch(_:)-(NSFetchRequest<T>)``, what the closure throws, or `CancellationError`.
    public nonisolated final func performFetch<T: NSFetchRequestResult & SendableMetatype, Value>(
        _ request: NSFetchRequest<T>, _ body: @escaping @Sendable ([T]) throws -> Value
    ) async throws -> Value {
        let monitor = FetchMonitor()
        // The copy belongs to the queue from now on.
        nonisolated(unsafe) let frozen = request.frozen
        frozen.monitor = monitor
        return try await withTaskCancellationHandler {
            let first = try await perform { () throws -> FirstStep<T, Value> in
                try monitor.watch {
                    if let fetch = try OffQueueFetch(frozen, in: self) { return .reads(fetch) }
                    return .isDone(try body(try self.fetch(frozen)))
                }
            }
            let fetch: OffQueueFetch<T>
            switch first {
            case .isDone(let value): return value
            case .reads(let reading): fetch = reading
            }
            await withCheckedContinuation { continuation in
                DispatchQueue.global().async {
                    fetch.read()
                    continuation.resume()
                }
            }
            return try await perform { try monitor.watch { try body(try fetch.results()) } }
        } onCancel: {
            monitor.cancel()
        }
    }
}

/// The state of an asynchronous fetch after its first turn on the context's queue.
// @unchecked Sendable: it goes from the queue to the one task that waits for it.
private enum FirstStep<T, Value>: @unchecked Sendable {
    case reads(OffQueueFetch<T>)
    case isDone(Value)
}
