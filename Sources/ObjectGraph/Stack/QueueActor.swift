/// Runs blocks of Swift concurrency on a queue: cheaper than a continuation, which hops twice.
actor QueueActor {
    private let queue: ContextQueue

    nonisolated var unownedExecutor: UnownedSerialExecutor { queue.asUnownedSerialExecutor() }

    init(_ queue: ContextQueue) { self.queue = queue }

    /// Carries a result off the queue. The caller of `perform` gets what its own block returned, and no other reference
    /// to it is kept here.
    // @unchecked Sendable: a constant, made here and read once, by the one awaiting caller.
    struct Carried<T>: @unchecked Sendable {
        let value: T
    }

    func run<T>(_ block: @Sendable () throws -> T, finally: @Sendable () -> Void) rethrows -> Carried<T> {
        defer { finally() }
        return Carried(value: try block())
    }
}
