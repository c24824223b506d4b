/// Changes of fetched results as they happen, to wait on. ``FetchedResults/differences()`` makes it.
public struct FetchedResultsDifferences: AsyncSequence, Sendable {
    /// One round of changes.
    public typealias Element = FetchedResultsDifference
    /// Waiting never fails.
    public typealias Failure = Never

    let stream: AsyncStream<Element>

    /// Waits for one difference after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var base: AsyncStream<Element>.AsyncIterator

        /// The next difference; nil after the results are gone or the task was cancelled.
        public mutating func next() async -> Element? { await base.next() }

        /// The next difference; nil after the results are gone or the task was cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? { await base.next(isolation: actor) }
    }

    /// Starts to read. A sequence serves one reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base: stream.makeAsyncIterator()) }
}
