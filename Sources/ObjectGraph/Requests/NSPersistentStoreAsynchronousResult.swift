public import Foundation

/// The result of a request that may still be running when the result is returned.
///
/// ``cancel()`` and ``progress`` may be used on every thread; ``operationError`` belongs to the context's queue.
// @unchecked Sendable: constants that lock themselves, and the error, which is set and read only on the context's
// queue.
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

    /// The number of results so far, and the expected number as far as it is known. It is a child of the progress that
    /// was current when the request was executed.
    public final var progress: Progress? { monitor.progress }

    /// The error, if the request failed: an error of the store or of the request, or `CocoaError.userCancelled` (3072).
    public final var operationError: (any Error)? { failure }

    /// Ends the request as soon as possible. Its results are dropped.
    public final func cancel() {
        monitor.cancel()
        progress?.cancel()
    }
}
