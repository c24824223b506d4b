/// The kinds of queue a context can have, with Apple's raw values.
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// A serial queue of the context's own.
    case privateQueueConcurrencyType = 1
    /// The main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// The kinds of queue a context can have.
    public struct ConcurrencyType: Hashable, Sendable {
        let rawType: NSManagedObjectContextConcurrencyType

        /// A serial queue of the context's own.
        public static let privateQueue = ConcurrencyType(rawType: .privateQueueConcurrencyType)
        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawType: .mainQueueConcurrencyType)
    }

    /// When an asynchronous `perform` runs its block.
    public enum ScheduledTaskType: Hashable, Sendable {
        /// At once if the caller already runs on the context's queue, else as soon as the queue is free.
        case immediate
        /// After everything that is in the queue now.
        case enqueued
    }
}
