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

    func add(_ context: NSManagedObjectContext) { update(without: context) { $0.append(Entry(context: context)) } }

    func remove(_ context: NSManagedObjectContext) { update(without: context) { _ in } }

    func contexts(except source: NSManagedObjectContext) -> [NSManagedObjectContext] {
        held().compactMap { $0 === source ? nil : $0 }
    }

    private func held() -> [NSManagedObjectContext?] { lock.withLock { entries.map(\.context) } }

    /// Drops a context and those that are gone. What this may let go of last goes outside the lock: the objects of a context run code of the program when they end.
    private func update(without context: NSManagedObjectContext, _ change: (inout [Entry]) -> Void) {
        let held = lock.withLock { () -> [NSManagedObjectContext?] in
            let held = entries.map(\.context)
            entries = zip(entries, held).compactMap { $1 == nil || $1 === context ? nil : $0 }
            change(&entries)
            return held
        }
        withExtendedLifetime(held) {}
    }
}
