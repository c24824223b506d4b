import Foundation
import Storage

/// Faults that a fetch has given their rows, when another context of the coordinator saves newer ones before they fire.
extension NSManagedObjectContext {
    /// Takes rows away from faults where another context has saved newer ones since, so that firing them reads the store.
    ///
    /// Costs a comparison when nobody else has saved.
    @inline(__always) final func dropStaleRows() {
        guard let clock = clock?._withUnsafeGuaranteedRef({ $0.now }), clock != momentOfRows else { return }
        dropStaleRows(now: clock)
    }

    @inline(never) private final func dropStaleRows(now: Int) {
        // What was saved after its generation is not the context's business.
        let moment = queryGeneration?.moment ?? now
        guard moment > momentOfRows else { return }
        for registries in saved {
            guard let registries, let store = registries.store?.store else { continue }
            guard let batches = store.recentWrites.batches(after: momentOfRows, until: moment) else {
                // Too much was written to know: any of them may be old.
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

    /// Faults were given rows that were read earlier, when there were so many saves.
    final func noteRows(of moment: Int) { momentOfRows = min(momentOfRows, moment) }

    /// A save of the context itself makes none of its rows old.
    final func noteOwnWrite(_ moment: Int) {
        momentOfOwnWrite = moment
        if momentOfRows == moment - 1 { momentOfRows = moment }
    }
}

extension NSManagedObject {
    /// Unsaved changes stay on the row they were made on, so that the save finds the conflict. Version 0, a deleted row, is older than any: its last values are
    /// all there is.
    fileprivate final func dropRow(olderThan version: Int64) {
        guard isFault, let row, row.version < version, _state.isDisjoint(with: [.inserted, .updated, .deleted, .draft]) else {
            return
        }
        forgetPrefetchedDestinations()
        self.row = nil
    }
}
