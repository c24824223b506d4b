/// Runs the jobs of an actor on a context's queue, and processes pending changes after each job, as `perform` does.
final class ContextExecutor: SerialExecutor {
    /// The context's initializer sets it once. An actor that has jobs for the executor holds the context.
    nonisolated(unsafe) unowned(unsafe) var context: NSManagedObjectContext?

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // It never waits, because the caller may be a thread of the cooperative pool.
        context?.perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

extension NSManagedObjectContext {
    /// The context's queue as an executor for actors; see `@ManagedActor`. The actor must hold the context.
    ///
    /// Pending changes are processed after each job, that is whenever the actor's code waits for something or returns.
    public nonisolated final var unownedExecutor: UnownedSerialExecutor { shared.executor.asUnownedSerialExecutor() }
}
