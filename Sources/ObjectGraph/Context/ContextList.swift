import Foundation

/// Contexts, none of them held: those that merge each save into one coordinator or parent by themselves, or all of a coordinator.
///
/// `@unchecked Sendable`: the list is only touched under the lock.
final class ContextList: @unchecked Sendable {
    private struct Entry {
        weak var context: NSManagedObjectContext?
    }

    private let lock = NSLock()
    private var entries: [Entry] = []
    /// From how many entries on those of contexts that are gone are looked for.
    private var greatestCount = 16

    func add(_ context: NSManagedObjectContext) {
        lock.withLock {
            if entries.count >= greatestCount {
                entries.removeAll { $0.context == nil }
                greatestCount = max(16, 2 * entries.count)
            }
            entries.append(Entry(context: context))
        }
    }

    func remove(_ context: NSManagedObjectContext) {
        lock.withLock { entries.removeAll { $0.context == nil || $0.context === context } }
    }

    func contexts(except source: NSManagedObjectContext? = nil) -> [NSManagedObjectContext] {
        lock.withLock { entries.compactMap { entry in entry.context.flatMap { $0 === source ? nil : $0 } } }
    }
}
