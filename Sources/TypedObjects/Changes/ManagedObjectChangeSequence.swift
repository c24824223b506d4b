import ObjectGraph

/// Rounds of changes to objects of one class, as they happen. `NSManagedObjectContext.changes(of:_:bufferingPolicy:)` makes it.
public struct ManagedObjectChangeSequence<Object: NSManagedObject>: AsyncSequence, Sendable {
    /// One round of change processing.
    public typealias Element = ManagedObjectChanges<Object>
    /// Waiting never fails.
    public typealias Failure = Never

    let stream: AsyncStream<Element>

    /// Waits for one round after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Element>.AsyncIterator

        /// The next round of changes; nil after the context is gone or the task was cancelled.
        public mutating func next() async -> Element? { await base.next() }

        /// The next round of changes; nil after the context is gone or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await base.next(isolation: actor) }
    }

    /// Starts to read. A sequence serves one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}
