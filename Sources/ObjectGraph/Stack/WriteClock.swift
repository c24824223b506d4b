import Synchronization

/// Counts the saves of a coordinator's contexts.
final class WriteClock: Sendable {
    private let count = Atomic<Int>(0)
    /// Stores of one coordinator may be written at the same time.
    private let turn = Mutex(())

    /// The number of saves that are in `RecentWrites`.
    @inline(__always) var now: Int { count.load(ordering: .acquiring) }

    /// Counts one save.
    ///
    /// - Parameter note: Notes what was written, under the save's number, before anyone sees that number.
    /// - Returns: The save's number.
    @discardableResult func advance(_ note: (Int) -> Void = { _ in }) -> Int {
        turn.withLock { _ in
            let moment = now + 1
            note(moment)
            count.add(1, ordering: .releasing)
            return moment
        }
    }
}
