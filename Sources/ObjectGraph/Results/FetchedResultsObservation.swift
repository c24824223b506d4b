/// Keeps an observation of fetched results going: it ends when this object goes, or by `cancel()`.
///
/// May be held, cancelled and let go of on every thread. It does not keep the results.
public final class FetchedResultsObservation: Sendable {
    private weak let handlers: ObserverList<FetchedResultsHandler>?
    private weak let handler: FetchedResultsHandler?

    init(_ handler: FetchedResultsHandler, in handlers: ObserverList<FetchedResultsHandler>) {
        self.handlers = handlers
        self.handler = handler
    }

    /// Ends the observation. A change that is being told of on another thread at this moment still reaches its handler. Calling it again does nothing.
    public func cancel() { if let handler { handlers?.remove(handler) } }

    deinit { cancel() }
}
