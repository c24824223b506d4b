import Foundation

extension NSManagedObjectContext {
    /// The context whose block is running on the calling thread.
    class var current: NSManagedObjectContext? { ContextQueue.ofThread?.context }

    /// Runs a block later on the context's queue, then processes pending changes. Callable on every thread.
    ///
    /// - Parameter block: The work. Blocks run one at a time, in the order of the calls.
    @preconcurrency
    public final func perform(_ block: @escaping @Sendable () -> Void) {
        queue.async {
            block()
            self.processPendingChanges()
        }
    }

    /// Runs a block on the context's queue and waits for it. Inside another block of the same context it runs at once.
    ///
    /// Pending changes are processed at the end of the outermost call, so observers were told of them when it returns.
    /// Callable on every thread. For a main-queue context, a call on another thread waits for the main thread.
    ///
    /// - Parameter block: The work.
    /// - Returns: What the block returns.
    /// - Throws: What the block throws.
    @preconcurrency
    public final func performAndWait<T>(_ block: @Sendable () throws -> T) rethrows -> T { try runAndWait(block) }

    /// Runs a block on the context's queue and waits for it, as the form with a result does.
    @preconcurrency
    public final func performAndWait(_ block: @Sendable () -> Void) { runAndWait(block) }

    private func runAndWait<T>(_ block: () throws -> T) rethrows -> T {
        if queue.isCurrent { return try queue.sync(block) }
        return try queue.sync {
            defer { processPendingChanges() }
            return try block()
        }
    }

    /// Runs a block on the context's queue, then processes pending changes.
    ///
    /// Cancelling the waiting task does not stop the block.
    ///
    /// - Parameters:
    ///   - schedule: Whether the block may run at once when the caller is on the queue already.
    ///   - block: The work.
    /// - Returns: What the block returns. Return IDs or values, not managed objects.
    /// - Throws: What the block throws; changes made before stay pending.
    @preconcurrency
    public nonisolated final func perform<T>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        try await performReturning(schedule, block)
    }

    /// The form for blocks that return managed objects. It works like the other one, but the compiler warns, because
    /// objects may be used only on their context's queue.
    @available(*, deprecated, message: "managed objects may be used only on their context's queue: return object IDs or values")
    @preconcurrency
    public nonisolated final func perform<T: _ManagedObjectResult>(
        schedule: ScheduledTaskType = .immediate, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        try await performReturning(schedule, block)
    }

    nonisolated final func performReturning<T>(
        _ schedule: ScheduledTaskType, _ block: @escaping @Sendable () throws -> T
    ) async rethrows -> T {
        if schedule == .immediate, queue.isCurrent { return try queue.sync(block) }
        return try await QueueActor(queue).run(block) { self.processPendingChanges() }.value
    }
}
