import Foundation

/// What comes of a request that is still running when it is returned.
///
/// ``cancel()`` and ``progress`` may be used on every thread; ``operationError`` belongs to the context's queue.
// @unchecked Sendable: constants that lock themselves, and the error, which the context's queue alone sets and reads.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult, @unchecked Sendable {
    let monitor: FetchMonitor
    final var failure: (any Error)?

    /// The context that executes the request.
    public final let managedObjectContext: NSManagedObjectContext

    init(_ context: NSManagedObjectContext, estimatedCount: Int) {
        managedObjectContext = context
        let progress = Progress(totalUnitCount: estimatedCount > 0 ? Int64(estimatedCount) : -1)
        progress.isCancellable = true
        monitor = FetchMonitor(progress)
        super.init()
    }

    /// How many of the results are there, and of how many, as far as that is known. It is a child of the progress that was current when the request was
    /// executed.
    public final var progress: Progress? { monitor.progress }

    /// What went wrong, if anything did: an error of the store or of the request, or `CocoaError.userCancelled` (3072).
    public final var operationError: (any Error)? { failure }

    /// Ends the request as soon as may be. Its results are dropped.
    public final func cancel() {
        monitor.cancel()
        progress?.cancel()
    }
}
