import Foundation
import Storage

/// Faults that got their rows from a fetch, when another context of the coordinator saves newer ones before they fire.
extension NSManagedObjectContext {
    /// Takes rows away from faults if another context has saved newer ones since, so that firing them reads the store.
    ///
    /// It costs a comparison if no other context has saved.
    @inline(__always) final func dropStaleRows() {
        guard let now = moment.clock?._withUnsafeGuaranteedRef({ $0.now }), now != moment.ofRows else { return }
        dropStaleRows(now: now)
    }

    @inline(never) private final func dropStaleRows(now: Int) {
        // The context does not see saves after its generation.
        let latest = moment.generation?.moment ?? now
        guard latest > moment.ofRows else { return }
        for registries in uniquing.saved {
            guard let registries, let store = registries.store?.store else { continue }
            guard let batches = store.recentWrites.batches(after: moment.ofRows, until: latest) else {
                // So much was written that any row may be old.
                for object in registries.objects { object.dropRow(olderThan: Int64.max) }
                continue
            }
            for batch in batches {
                let registry = registries.registry(batch.entity)
                for (key, version) in zip(batch.keys, batch.versions) {
                    registry.object(key)?.dropRow(olderThan: version)
                }
            }
        }
        moment.noteNewRows(of: latest)
    }
}

extension NSManagedObject {
    /// Unsaved changes stay on the row they were made on, so that the save finds the conflict. Version 0 stands for a
    /// deleted row and is older than any. Its last values are all that is left.
    fileprivate final func dropRow(olderThan version: Int64) {
        guard isFault, let row, row.version < version, _state.isDisjoint(with: [.inserted, .updated, .deleted, .draft]) else {
            return
        }
        forgetPrefetchedDestinations()
        self.row = nil
    }
}
