import Foundation

/// An observer of each change of some properties of one object.
package protocol KeyValueObserver: AnyObject {
    /// The property is about to change: its value now is the old one.
    func keepOldValue()
    /// The property is about to change. If a change of several objects is under way, in which observers may not be
    /// called, it has just changed.
    func tellPrior()
    /// The property has changed.
    func tellChange()
}

/// The observers of all objects, by object. An entry ends with its object at the latest.
enum KeyValueObservers {
    private struct Entry {
        let observer: any KeyValueObserver
        let slots: Set<Int>
    }

    // Observers are called on the queue of their object's context; they are added there, but removed on any thread, so
    // the list has a lock.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var entries: [ObjectIdentifier: [Entry]] = [:]

    static func add(_ observer: any KeyValueObserver, slots: Set<Int>, to object: ObjectIdentifier) {
        lock.withLock { entries[object, default: []].append(Entry(observer: observer, slots: slots)) }
    }

    static func remove(_ observer: any KeyValueObserver, from object: ObjectIdentifier) {
        // References are released outside the lock, because one of them may be the last.
        let removed = lock.withLock {
            let old = entries[object] ?? []
            let kept = old.filter { $0.observer !== observer }
            entries[object] = kept.isEmpty ? nil : kept
            return old
        }
        withExtendedLifetime(removed) {}
    }

    static func removeAll(from object: ObjectIdentifier) {
        let removed = lock.withLock { entries.removeValue(forKey: object) }
        withExtendedLifetime(removed) {}
    }

    static func observers(of slot: Int, of object: ObjectIdentifier) -> [any KeyValueObserver] {
        lock.withLock { (entries[object] ?? []).filter { $0.slots.contains(slot) }.map(\.observer) }
    }

    static func slots(of object: ObjectIdentifier) -> Set<Int> {
        lock.withLock { (entries[object] ?? []).reduce(into: []) { $0.formUnion($1.slots) } }
    }

    static func contains(_ observer: any KeyValueObserver, of object: ObjectIdentifier) -> Bool {
        lock.withLock { (entries[object] ?? []).contains { $0.observer === observer } }
    }
}
