package import Foundation

/// Takes notifications that are posted on whatever thread, so that a test can wait for them.
// @unchecked Sendable: what changes is under the lock.
package final class NotificationInbox: @unchecked Sendable {
    private let lock = NSLock()
    private let arrival = DispatchSemaphore(value: 0)
    private var waiting: [[AnyHashable: Any]] = []
    private var token: (any NSObjectProtocol)?

    /// - Parameter didArrive: called by each notification, on the thread it is posted on.
    package init(_ name: Notification.Name, of object: AnyObject?, didArrive: @escaping @Sendable () -> Void = {}) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { [weak self] notification in
            didArrive()
            self?.add(notification.userInfo ?? [:])
        }
    }

    deinit { if let token { NotificationCenter.default.removeObserver(token) } }

    private func add(_ userInfo: [AnyHashable: Any]) {
        lock.withLock { waiting.append(userInfo) }
        arrival.signal()
    }

    /// How many have arrived that nobody has taken.
    package var count: Int { lock.withLock { waiting.count } }

    /// The `userInfo` of the next one, which is waited for; nil if none comes in a time that is long for every machine.
    package func next() -> [AnyHashable: Any]? {
        guard arrival.wait(timeout: .now() + 60) == .success else { return nil }
        return lock.withLock { waiting.removeFirst() }
    }
}
