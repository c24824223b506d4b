import Foundation

/// The contexts that merge each save into one coordinator or parent by themselves.
///
/// `@unchecked Sendable`: the list is only touched under the lock.
final class MergeReceivers: @unchecked Sendable {
    private struct Entry {
        weak var context: NSManagedObjectContext?
    }

    private let lock = NSLock()
    private var entries: [Entry] = []

    func add(_ context: NSManagedObjectContext) {
        lock.withLock {
            entries.removeAll { $0.context == nil || $0.context === context }
            entries.append(Entry(context: context))
        }
    }

    func remove(_ context: NSManagedObjectContext) {
        lock.withLock { entries.removeAll { $0.context == nil || $0.context === context } }
    }

    func contexts(except source: NSManagedObjectContext) -> [NSManagedObjectContext] {
        lock.withLock { entries.compactMap { $0.context === source ? nil : $0.context } }
    }
}
