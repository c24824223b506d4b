import Synchronization

/// Objects, none of them held, in the order in which they came.
///
/// No reference is let go of under the lock: it may have become the last one, and whatever ends with it may use the list, too.
final class WeakList<Object: AnyObject & Sendable>: Sendable {
    private struct Entry: Sendable {
        weak let object: Object?
    }

    private let entries = Mutex<[Entry]>([])

    /// Those that are not gone.
    var all: [Object] { entries.withLock { $0 }.compactMap(\.object) }

    /// Adds an object, unless it is there.
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
