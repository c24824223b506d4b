import Foundation

/// The watches of this process's stores.
enum StoreWatches {
    private struct Entry {
        weak var watch: StoreWatch?
    }

    private static let lock = NSLock()
    nonisolated(unsafe) private static var entries: [Entry] = []

    static func add(_ watch: StoreWatch) {
        lock.withLock {
            entries.removeAll { $0.watch == nil }
            entries.append(Entry(watch: watch))
        }
    }

    /// To be called after a store has committed a write: all watches of its file will look, whichever coordinator they belong to.
    static func didWrite(_ store: NSPersistentStore) {
        let watches = lock.withLock { entries.compactMap(\.watch) }
        guard !watches.isEmpty else { return }
        let place = StoreWatch.place(of: store)
        for watch in watches where watch.isOf(store, at: place) { watch.lookSoon() }
    }
}
