import Foundation

/// The watches of this process's stores.
enum StoreWatches {
    private static let watches = WeakList<StoreWatch>()

    static func add(_ watch: StoreWatch) { watches.add(watch) }

    /// Must be called after a store has committed a write. All watches of its file will look, in all coordinators.
    static func didWrite(_ store: NSPersistentStore) {
        let watches = watches.all
        guard !watches.isEmpty else { return }
        let place = StoreWatch.place(of: store)
        for watch in watches where watch.isOf(store, at: place) { watch.lookSoon() }
    }
}
