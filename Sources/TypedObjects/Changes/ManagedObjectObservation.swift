import ObjectGraph
import Synchronization

/// Keeps an observation of a context going: it ends when this object goes, or by `cancel()`.
///
/// May be held, cancelled and let go of on every thread. It does not keep the context.
public final class ManagedObjectObservation: Sendable {
    private let end: Mutex<(@Sendable () -> Void)?>

    init(end: @escaping @Sendable () -> Void) {
        self.end = Mutex(end)
    }

    /// Ends the observation. A round of changes that is being delivered on another thread at this moment still reaches its handler. Calling it
    /// again does nothing.
    public func cancel() {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?()
    }

    deinit { cancel() }
}
