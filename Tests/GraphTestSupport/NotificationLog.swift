package import Foundation
package import ObjectGraph
import Synchronization

/// Writes down the notifications of one context.
package final class NotificationLog: @unchecked Sendable {
    package struct Entry {
        package let name: Notification.Name
        package let userInfo: [AnyHashable: Any]
        package let thread: UInt
        package let isMainThread: Bool
        package let hadChanges: Bool

        package var kind: String { name.short }

        /// The objects under a key; none if it is absent.
        package func objects(_ key: String) -> Set<NSManagedObject> { userInfo[key] as? Set<NSManagedObject> ?? [] }
        package var inserted: Set<NSManagedObject> { objects(NSInsertedObjectsKey) }
        package var updated: Set<NSManagedObject> { objects(NSUpdatedObjectsKey) }
        package var deleted: Set<NSManagedObject> { objects(NSDeletedObjectsKey) }
        package var refreshed: Set<NSManagedObject> { objects(NSRefreshedObjectsKey) }
        package func ids(_ key: NSManagedObjectContext.NotificationKey) -> Set<NSManagedObjectID> {
            userInfo[key.rawValue] as? Set<NSManagedObjectID> ?? []
        }

        /// The keys of the userInfo, sorted.
        package var keys: [String] { userInfo.keys.compactMap { $0.base as? String }.sorted() }
    }

    package static let names: [Notification.Name] = [
        .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
        .NSManagedObjectContextDidSaveObjectIDs,
    ]

    // @unchecked Sendable: the list is only touched under the lock; tokens are constant after `init`.
    private let lock = NSLock()
    private var list: [Entry] = []
    private var tokens: [any NSObjectProtocol] = []

    package init(_ context: NSManagedObjectContext) {
        tokens = (Self.names + [.NSManagedObjectContextDidMergeChangesObjectIDs]).map { name in
            NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { [weak self] notification in
                let entry = Entry(
                    name: notification.name, userInfo: notification.userInfo ?? [:], thread: currentThread,
                    isMainThread: Thread.isMainThread,
                    hadChanges: (notification.object as? NSManagedObjectContext)?.hasChanges ?? false)
                self?.add(entry)
            }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    private func add(_ entry: Entry) { lock.withLock { list.append(entry) } }

    /// All entries since the last call.
    package func take() -> [Entry] {
        lock.withLock {
            defer { list = [] }
            return list
        }
    }

    /// The ObjectsDidChange entries since the last call of a `take…`; the others are dropped.
    package func takeChanges() -> [Entry] { take().filter { $0.kind == "didChange" } }
}

/// Has a closure called for one notification of one context, on whatever thread it is posted.
package final class Observer {
    private let token: any NSObjectProtocol

    package init(_ name: Notification.Name, of object: AnyObject?, _ body: @escaping (Notification) -> Void) {
        // The poster waits for its observers, so the closure runs on one thread at a time in the tests that use it.
        nonisolated(unsafe) let body = body
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) { body($0) }
    }

    deinit { NotificationCenter.default.removeObserver(token) }
}

/// The number of the calling thread.
package var currentThread: UInt {
    UInt(pthread_self())
}

extension Notification.Name {
    /// A short name: "didChange", "willSave", "didSave", "didSaveIDs", "didMerge".
    package var short: String {
        switch self {
        case .NSManagedObjectContextObjectsDidChange: "didChange"
        case .NSManagedObjectContextWillSave: "willSave"
        case .NSManagedObjectContextDidSave: "didSave"
        case .NSManagedObjectContextDidSaveObjectIDs: "didSaveIDs"
        case .NSManagedObjectContextDidMergeChangesObjectIDs: "didMerge"
        default: rawValue
        }
    }
}
