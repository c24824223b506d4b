import Foundation

/// A list of observers. Tokens end their observation on any thread, so access is locked.
///
/// `@unchecked Sendable`: the list is only touched under the lock.
package final class ObserverList<Observer>: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Observer] = []

    package init() {}

    package var all: [Observer] { lock.withLock { list } }
    package var isEmpty: Bool { lock.withLock { list.isEmpty } }

    package func add(_ observer: Observer) { lock.withLock { list.append(observer) } }

    package func remove(_ observer: AnyObject) { remove(ObjectIdentifier(observer)) }

    package func remove(_ observer: ObjectIdentifier) {
        // The observer is released outside the lock, because its end may call back.
        let removed = lock.withLock {
            let removed = list.filter { ObjectIdentifier($0 as AnyObject) == observer }
            list.removeAll { ObjectIdentifier($0 as AnyObject) == observer }
            return removed
        }
        withExtendedLifetime(removed) {}
    }
}
