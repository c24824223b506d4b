/// A closure that is told of changes of fetched results.
// @unchecked Sendable: all stored properties are constants. Only the handler is not Sendable, and only the results call it, on
// the context's queue.
final class FetchedResultsHandler: @unchecked Sendable {
    let handler: (FetchedResultsDifference) -> Void
    private let onEnd: @Sendable () -> Void

    /// - Parameter onEnd: Is called on any thread after the last call of the handler.
    init(_ handler: @escaping (FetchedResultsDifference) -> Void, onEnd: @escaping @Sendable () -> Void = {}) {
        self.handler = handler
        self.onEnd = onEnd
    }

    deinit { onEnd() }
}
