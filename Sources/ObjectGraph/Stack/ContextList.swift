import Foundation

/// A list of contexts that holds none of them: those that merge the saves of one coordinator or parent by themselves,
/// or all contexts of a coordinator.
///
/// `@unchecked Sendable`: the list is only touched under the lock.
final class ContextList: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [ContextReference] = []
    /// When the list has this many entries, those of contexts that are gone are removed.
    private var greatestCount = 16

    func add(_ context: NSManagedObjectContext) {
        let isFull = lock.withLock { () -> Bool in
            entries.append(context.reference)
            return entries.count > greatestCount
        }
        if isFull { removeGone() }
    }

    func remove(_ context: NSManagedObjectContext) { lock.withLock { entries.removeAll { $0 === context.reference } } }

    func contexts(except source: NSManagedObjectContext? = nil) -> [NSManagedObjectContext] {
        // Outside the lock: the last reference may be released here, and a context's objects run code of the program
        // when they end.
        lock.withLock { entries }.compactMap { $0.context }.filter { $0 !== source }
    }

    private func removeGone() {
        let gone = lock.withLock { entries }.filter { $0.context == nil }
        lock.withLock {
            entries.removeAll { entry in gone.contains { $0 === entry } }
            greatestCount = max(16, 2 * entries.count)
        }
    }
}
