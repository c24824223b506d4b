import Foundation
import Storage

/// Faults that got their rows from a fetch, when another context of the coordinator saves newer ones before they fire.
extension NSManagedObjectContext {
    /// Takes rows away from faults if another context has saved newer ones since, so that firing them reads the store.
    ///
    /// It costs a comparison if no other context has saved.
    @inline(__always) final func dropStaleRows() {
        guard let clock = clock?._withUnsafeGuaranteedRef({ $0.now }), clock != momentOfRows else { return }
        dropStaleRows(now: clock)
    }

    @inline(never) private final func dropStaleRows(now: Int) {
        // The context does not see saves after its generation.
        let moment = queryGeneration?.moment ?? now
        guard moment > momentOfRows else { return }
        for registries in saved {
            guard let registries, let store = registries.store?.store else { continue }
            guard let batches = store.recentWrites.batches(after: momentOfRows, until: moment) else {
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
        momentOfRows = moment
    }

    /// Notes that faults got rows that were read at an earlier moment.
    final func noteRows(of moment: Int) { momentOfRows = min(momentOfRows, moment) }

    /// Notes a save of the context itself, which makes none of its own rows old.
    final func noteOwnWrite(_ moment: Int) {
        momentOfOwnWrite = moment
        if momentOfRows == moment - 1 { momentOfRows = moment }
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
