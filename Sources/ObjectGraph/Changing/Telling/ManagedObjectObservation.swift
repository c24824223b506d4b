import Synchronization

/// Keeps an observation going, of a context, of stores or of ``FetchedResults``: it ends when this object is released,
/// or by `cancel()`.
///
/// May be held, cancelled and released on every thread. It does not hold what is observed.
public final class ManagedObjectObservation: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    /// - Parameter end: Ends the observation. Called once, on any thread.
    package init(end: @escaping @Sendable () -> Void) {
        self.end = Mutex(end)
    }

    /// Ends the observation. A round of changes that is being delivered on another thread at this moment still reaches
    /// its handler. Calling it again does nothing.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit { cancel() }
}
