import Foundation

/// Who wants to hear of each change of some properties of one object.
package protocol KeyValueObserver: AnyObject {
    /// The property is about to change: its value now is the old one.
    func keepOldValue()
    /// The property is about to change, or, where nobody may be called in the middle of a change of several objects, has just
    /// changed.
    func tellPrior()
    /// The property has changed.
    func tellChange()
}

/// The observers of all objects, by object. An object has an entry at most as long as it lives.
enum KeyValueObservers {
    private struct Entry {
        let observer: any KeyValueObserver
        let slots: Set<Int>
    }

    // Observers are called on the queue of their object's context; they are added there, and removed on every thread, so the list
    // has a lock.
    private static let lock = NSLock()
    nonisolated(unsafe) private static var entries: [ObjectIdentifier: [Entry]] = [:]

    static func add(_ observer: any KeyValueObserver, slots: Set<Int>, to object: ObjectIdentifier) {
        lock.withLock { entries[object, default: []].append(Entry(observer: observer, slots: slots)) }
    }

    static func remove(_ observer: any KeyValueObserver, from object: ObjectIdentifier) {
        // What goes with the last reference goes outside the lock.
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
