import Foundation
import Storage

/// Posts `NSPersistentStoreRemoteChange` for one store after writes by any context or process.
///
/// It looks at once after a write of this process, and each second for writes of other processes. It posts only if the
/// store has changed since its last look, so each write is reported once.
// @unchecked Sendable: the counter and its last value are used only under the lock; the rest is constant after `init`.
final class StoreWatch: @unchecked Sendable {
    private static let interval = 1.0

    private weak var store: NSPersistentStore?
    private let place: URL?
    private let queue = DispatchQueue(label: "OpenCoreData.StoreWatch", qos: .utility)
    private let timer: (any DispatchSourceTimer)?
    private let lock = NSLock()
    private var counter: (() throws -> Int)?
    private var lastCount: Int?
    private var isStopped = false

    /// - Parameter counter: see `StorageEngine.makeChangeCounter()`.
    init(_ store: NSPersistentStore, _ counter: (() throws -> Int)?) throws {
        self.store = store
        place = Self.place(of: store)
        self.counter = counter
        lastCount = try counter?()
        timer = counter == nil ? nil : DispatchSource.makeTimerSource(queue: queue)
        timer?.setEventHandler { [weak self] in self?.look() }
        timer?.schedule(deadline: .now() + Self.interval, repeating: Self.interval, leeway: .milliseconds(100))
        timer?.activate()
    }

    deinit { timer?.cancel() }

    /// The file of a store that others can open, too; nil if others can't open it.
    static func place(of store: NSPersistentStore) -> URL? {
        guard let url = store.url, let file = try? store.kind.files?.file(at: url) else { return nil }
        return file.standardizedFileURL.resolvingSymlinksInPath()
    }

    func isOf(_ other: NSPersistentStore, at otherPlace: URL?) -> Bool {
        other === store || (place != nil && place == otherPlace)
    }

    /// Looks on the watch's own queue, because the writer must not wait for observers.
    func lookSoon() {
        queue.async { [weak self] in self?.look() }
    }

    /// Ends all use of the store's file. Nothing is posted from now on.
    func stop() {
        timer?.cancel()
        lock.withLock {
            isStopped = true
            counter = nil
        }
    }

    private func look() {
        guard lock.withLock({ seesChange() }), let store, let coordinator = store.persistentStoreCoordinator else { return }
        var userInfo: [AnyHashable: Any] = [NSStoreUUIDKey: store.reference.identifier]
        userInfo[NSPersistentStoreURLKey] = store.url
        userInfo[NSPersistentHistoryTokenKey] = coordinator.currentPersistentHistoryToken(fromStores: [store])
        NotificationCenter.default.post(name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: userInfo)
    }

    private func seesChange() -> Bool {
        guard !isStopped else { return false }
        // Without a counter only `lookSoon()` comes here, after a write.
        guard let counter else { return true }
        // A file that is locked or can't be read now is tried again in a second. Readers of the store get the error.
        guard let count = try? counter(), count != lastCount else { return false }
        lastCount = count
        return true
    }
}
