import CSwiftRuntime
import Dispatch
import Foundation
import Synchronization

/// The queue of a context or a coordinator, and the thread that is on it now.
final class ContextQueue: SerialExecutor {
    let type: NSManagedObjectContextConcurrencyType
    private let queue: DispatchQueue
    /// The thread that is running on the queue; 0 for none. A thread finds its own number here only if it has stored
    /// the number itself.
    private let owner = Atomic<UInt>(0)
    /// The context's initializer sets it once. Blocks on the queue read it, and they hold the context.
    nonisolated(unsafe) unowned(unsafe) var context: NSManagedObjectContext?

    init(_ type: NSManagedObjectContextConcurrencyType) {
        self.type = type
        queue = type == .mainQueueConcurrencyType ? .main : DispatchQueue(label: "NSManagedObjectContext")
    }

    private static var currentThread: UInt {
        UInt(pthread_self())
    }

    /// Whether the calling thread is inside `sync` or `async` of this queue.
    var isCurrent: Bool { owner.load(ordering: .relaxed) == Self.currentThread }

    /// Whether the calling thread may use the context now: inside the queue, or, for the main queue, on the main thread
    /// or the main actor.
    var allowsAccess: Bool { isCurrent || type == .mainQueueConcurrencyType && Self.isMain }

    /// Marks the main queue. In a program with an asynchronous `main`, and in tests, the main thread only sleeps
    /// (`dispatchMain`), and other threads run the main queue and with it the main actor: there `Thread.isMainThread`
    /// is false.
    private static let mainQueueMark: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    static var isMain: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueMark) == true }

    /// The queue whose block is running on the calling thread, the innermost of several.
    static var ofThread: ContextQueue? {
        CSwiftThreadQueue().map { Unmanaged<ContextQueue>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs `body` on the calling thread while it owns the queue (the main queue: on the main thread). Inline if it
    /// owns it already.
    func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
        if isCurrent { return try entered(body) }
        if type == .mainQueueConcurrencyType {
            if Self.isMain { return try owning(body) }
            // The caller waits here while the main thread runs `body`, so the two never run at the same time.
            nonisolated(unsafe) let body = body
            return try DispatchQueue.main.sync { try owning(body) }
        }
        return try queue.sync { try owning(body) }
    }

    func async(_ body: @escaping @Sendable () -> Void) {
        queue.async { self.owning(body) }
    }

    /// Runs `body` as the owner of the queue. The caller must be the only user of the context at this time.
    func owning<Result>(_ body: () throws -> Result) rethrows -> Result {
        let previous = owner.exchange(Self.currentThread, ordering: .relaxed)
        defer { owner.store(previous, ordering: .relaxed) }
        return try entered(body)
    }

    private func entered<Result>(_ body: () throws -> Result) rethrows -> Result {
        let outer = CSwiftThreadQueue()
        CSwiftSetThreadQueue(Unmanaged.passUnretained(self).toOpaque())
        defer { CSwiftSetThreadQueue(outer) }
        return try body()
    }

    /// Runs a job of Swift concurrency on the queue.
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { self.owning { job.runSynchronously(on: self.asUnownedSerialExecutor()) } }
    }
}
