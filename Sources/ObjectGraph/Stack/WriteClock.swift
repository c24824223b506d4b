import Synchronization

/// Counts the saves of a coordinator's contexts.
final class WriteClock: Sendable {
    private let count = Atomic<Int>(0)

    /// The number of saves that are in `RecentWrites`.
    @inline(__always) var now: Int { count.load(ordering: .acquiring) }

    /// Must be called under the coordinator's lock, after the writes were noted under the number `now + 1`.
    func advance() { count.add(1, ordering: .releasing) }
}
