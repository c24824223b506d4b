import Synchronization

/// Counts the saves of a coordinator's contexts.
final class WriteClock: Sendable {
    private let count = Atomic<Int>(0)

    /// The number of saves that `RecentWrites` has.
    @inline(__always) var now: Int { count.load(ordering: .acquiring) }

    /// To be called under the coordinator's lock, when what was written is noted under the number after `now`.
    func advance() { count.add(1, ordering: .releasing) }
}
