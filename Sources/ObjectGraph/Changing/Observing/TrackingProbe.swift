import Observation
import Synchronization

/// Finds out whether reading is being tracked, for which there is no API. Only then a key path that is given to a
/// registrar is put into a set, and so hashed.
final class TrackingProbe: Sendable {
    private let registrar = ObservationRegistrar()
    // Immutable, because its captured value is immutable.
    nonisolated(unsafe) private let path: KeyPath<NSManagedObject, Void>
    private let counter = HashCounter()

    init() { path = \NSManagedObject.[counting: counter] }

    /// Whether reading is tracked on this thread or, possibly, on another.
    func isTracking(_ object: NSManagedObject) -> Bool {
        let before = counter.count.load(ordering: .relaxed)
        registrar.access(object, keyPath: path)
        return counter.count.load(ordering: .relaxed) != before
    }
}

/// Part of a key path that counts how often it is hashed.
private final class HashCounter: Hashable, Sendable {
    let count = Atomic(0)

    static func == (left: HashCounter, right: HashCounter) -> Bool { left === right }

    func hash(into hasher: inout Hasher) {
        count.wrappingAdd(1, ordering: .relaxed)
        hasher.combine(ObjectIdentifier(self))
    }
}

extension NSManagedObject {
    fileprivate subscript(counting counter: HashCounter) -> Void { () }
}
