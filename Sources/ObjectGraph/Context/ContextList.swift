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
        update { entries, held in
            if entries.count >= greatestCount {
                entries = zip(entries, held()).compactMap { $1 == nil ? nil : $0 }
                greatestCount = max(16, 2 * entries.count)
            }
            entries.append(Entry(context: context))
        }
    }

    func remove(_ context: NSManagedObjectContext) {
        update { entries, held in entries = zip(entries, held()).compactMap { $1 == nil || $1 === context ? nil : $0 } }
    }

    func contexts(except source: NSManagedObjectContext? = nil) -> [NSManagedObjectContext] {
        let held = lock.withLock { entries.map(\.context) }
        return held.compactMap { $0 === source ? nil : $0 }
    }

    /// Changes the list. What this may let go of last goes outside the lock: the objects of a context run code of the program when they end.
    ///
    /// - Parameter change: Gets the list, and a function that gives the context of each entry.
    private func update(_ change: (inout [Entry], _ held: () -> [NSManagedObjectContext?]) -> Void) {
        var held: [NSManagedObjectContext?] = []
        lock.withLock {
            let contexts = entries
            change(&entries) {
                held = contexts.map(\.context)
                return held
            }
        }
        withExtendedLifetime(held) {}
    }
}
