import Foundation
import Synchronization

/// Shows other threads how far a fetch is, and lets them end it. May be used on every thread.
final class FetchMonitor: Sendable {
    private let cancelled = Atomic(false)
    private let count = Atomic(0)
    let progress: Progress?

    init(_ progress: Progress? = nil) {
        self.progress = progress
    }

    /// The progress itself is asked, because its handlers run later, on another thread.
    var isCancelled: Bool { cancelled.load(ordering: .relaxed) || progress?.isCancelled == true }

    func cancel() { cancelled.store(true, ordering: .relaxed) }

    /// Must be called for each row.
    /// - Returns: false if the fetch was ended, so that the row is not needed.
    func goOn() -> Bool {
        // A progress takes locks and informs its parents, which is too slow for every row.
        let number = count.add(1, ordering: .relaxed).newValue
        if number.isMultiple(of: 256), let progress {
            progress.completedUnitCount = Int64(number)
            if progress.isCancelled { cancel() }
        }
        return !cancelled.load(ordering: .relaxed)
    }

    /// Must be called before the rows are read once more.
    func restart() { count.store(0, ordering: .relaxed) }

    func check() throws {
        if isCancelled { throw CocoaError(.userCancelled) }
    }

    /// Does a piece of work for a task. Once the fetch is cancelled, it throws `CancellationError` in place of Core
    /// Data's own error.
    func watch<Result>(_ work: () throws -> Result) throws -> Result {
        guard !isCancelled else { throw CancellationError() }
        do { return try work() } catch let error as CocoaError where error.code == .userCancelled && isCancelled {
            throw CancellationError()
        }
    }

    func finish() {
        let number = Int64(count.load(ordering: .relaxed))
        progress?.totalUnitCount = number
        progress?.completedUnitCount = number
    }
}
