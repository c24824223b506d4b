/// The lists of one event, after a processing of pending changes has taken them.
struct EventLists {
    typealias List = ContiguousArray<NSManagedObject>

    /// One list of the event.
    struct Part {
        let all: List
        /// The objects that are reported. The others were deleted again, or are in another list.
        let reported: List

        fileprivate init(_ all: List, where isReported: (ObjectState) -> Bool) {
            self.all = all
            var areReported = true
            all.forEachUnretained { if !isReported($0._state) { areReported = false } }
            reported = areReported ? all : all.filter { isReported($0._state) }
        }
    }

    let inserted: Part
    let updated: Part
    let deleted: Part
    let refreshed: Part

    init(inserted: List, updated: List, deleted: List, refreshed: List) {
        self.inserted = Part(inserted) { !$0.contains(.deleted) }
        // An object that was inserted and deleted in the same event never existed for others.
        self.deleted = Part(deleted) { $0.contains(.deleted) && !$0.contains(.eventInserted) }
        self.updated = Part(updated) { $0.isDisjoint(with: [.deleted, .eventInserted]) && $0.contains(.eventUpdated) }
        self.refreshed = Part(refreshed) { $0.isDisjoint(with: [.deleted, .eventInserted]) && $0.contains(.eventRefreshed) }
    }

    /// Ends the event for its objects: the next write notes a change again.
    func clearBits() {
        for list in [inserted.all, updated.all, deleted.all, refreshed.all] {
            list.forEachUnretained { object in
                object._state.subtract(ObjectState.eventMask.union(.writable))
                let state = object._state
                // The state of a deleted object before the event is still needed.
                if !state.contains(.deleted), !state.isDisjoint(with: [.inserted, .updated]) {
                    object._state.insert(.changedBefore)
                }
            }
        }
    }

    /// The objects that are reported.
    var reported: _ChangeBuckets.Objects {
        _ChangeBuckets.Objects(
            inserted: inserted.reported, updated: updated.reported, deleted: deleted.reported, refreshed: refreshed.reported)
    }
}
