/// Runs the jobs of an actor on a context's queue, and processes pending changes after each, as `perform` does.
final class ContextExecutor: SerialExecutor {
    /// Set once, by the context's initializer; whoever has jobs for the executor holds the context.
    nonisolated(unsafe) unowned(unsafe) var context: NSManagedObjectContext?

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        // Never waits: a thread of the cooperative pool may be calling.
        context?.perform { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
    }
}

extension NSManagedObjectContext {
    /// The context's queue as an executor for actors; see `@ManagedActor`. The actor has to keep the context.
    ///
    /// Pending changes are processed after each job, that is whenever the actor's code waits for something or returns.
    public nonisolated final var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
}
