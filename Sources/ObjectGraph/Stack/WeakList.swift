import Synchronization

/// Weakly held objects, in the order in which they were added.
///
/// References are released outside the lock. One of them may be the last, and code that runs when an object ends may
/// use the list, too.
final class WeakList<Object: AnyObject & Sendable>: Sendable {
    private struct Entry: Sendable {
        weak let object: Object?
    }

    private let entries = Mutex<[Entry]>([])

    /// The objects that still exist.
    var all: [Object] { entries.withLock { $0 }.compactMap(\.object) }

    /// Adds an object, unless the list has it.
    func add(_ object: Object) {
        let found = entries.withLock { entries in
            let objects = entries.map(\.object)
            entries = zip(entries, objects).compactMap { entry, object in object == nil ? nil : entry }
            if !objects.contains(where: { $0 === object }) { entries.append(Entry(object: object)) }
            return objects
        }
        withExtendedLifetime(found) {}
    }
}
