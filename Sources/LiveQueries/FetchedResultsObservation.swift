import ObjectGraph
import Synchronization

/// Keeps an observation of fetched results going: it ends when this object goes, or by `cancel()`.
///
/// May be held, cancelled and let go of on every thread. It does not keep the results.
public final class FetchedResultsObservation: Sendable {
    private weak let handlers: ObserverList<FetchedResultsHandler>?
    /// Stays this handler's until it is taken off the list, which only this object does, and once.
    private let handler: ObjectIdentifier
    private let isActive = Atomic(true)

    init(_ handler: FetchedResultsHandler, in handlers: ObserverList<FetchedResultsHandler>) {
        self.handlers = handlers
        self.handler = ObjectIdentifier(handler)
    }

    /// Ends the observation. A change that is being told of on another thread at this moment still reaches its handler. Calling it again does nothing.
    public func cancel() {
        guard isActive.exchange(false, ordering: .relaxed) else { return }
        handlers?.remove(handler)
    }

    deinit { cancel() }
}
