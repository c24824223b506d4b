/// A closure that hears of changes of fetched results.
// @unchecked Sendable: everything is constant, and the handler, which alone is not Sendable, is called by the results only, on the context's queue.
final class FetchedResultsHandler: @unchecked Sendable {
    let handler: (FetchedResultsDifference) -> Void
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: called when nobody can call the handler any more, on any thread.
    init(_ handler: @escaping (FetchedResultsDifference) -> Void, onEnd: @escaping @Sendable () -> Void = {}) {
        self.handler = handler
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}
