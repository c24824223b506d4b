import DataModel
import Foundation

/// Telling observers of one round of changes.
extension NSManagedObjectContext {
    /// Posts the notification, unless its sets are empty, and tells observers only of what changed.
    ///
    /// The notification has Apple's content: objects that were set or read again, even if they don't differ.
    ///
    /// - Parameters:
    ///   - log: the changes that the changed objects don't keep themselves.
    ///   - unheard: objects that observers were not told of, so that they must not be told of their return either.
    final func post(
        _ sets: ChangeSets, _ objects: _ChangeBuckets.Objects, since log: EventLog? = nil, _ source: RoundSource,
        unheard: UnheardChanges? = nil
    ) {
        let replaced = event.takeReplaced()
        let quiet = event.takeQuietlyChanged()
        let isReplaced = source.origin == .merge || source.origin == .undo
        for list in [objects.refreshed, objects.deleted, isReplaced ? objects.updated : []] {
            list.forEachUnretained { $0.tellTrackersOfAll() }
        }
        if observing.changes != nil {
            let past = RoundPast(self, objects, replaced: replaced, unknown: EmptyCollection())
            for object in objects.refreshed + (isReplaced ? objects.updated : []) + replaced.values.map(\.object) {
                object.noteReplacedObserved(past)
            }
        }
        func postNotification() { if !objects.isEmpty { postObjectsDidChange(sets) } }
        let observers = roundObservers
        guard !observers.isEmpty else { return postNotification() }
        var heard = objects
        if let unheard {
            heard.updated += objects.inserted.filter { unheard.deleted.contains(ObjectIdentifier($0)) }
            heard.inserted.removeAll { unheard.deleted.contains(ObjectIdentifier($0)) }
            heard.deleted.removeAll { unheard.inserted.contains(ObjectIdentifier($0)) }
        }
        // Deleted objects that were not read, and can't be read now, are only reported to observers of the object alone
        // and to live queries.
        let unread = heard.deleted.filter { $0.isFault && $0.row == nil && replaced[ObjectIdentifier($0)]?.row == nil }
        if !unread.isEmpty {
            let ids = Set(unread.map(ObjectIdentifier.init))
            heard.deleted.removeAll { ids.contains(ObjectIdentifier($0)) }
            heard.unseen += unread
        }
        let past = RoundPast(self, heard, replaced: replaced, unknown: quiet.all)
        if let log, replaced.isEmpty, quiet.all.isEmpty, objects.refreshed.isEmpty {
            past.objects.updated = withoutUnchanged(objects.updated, since: log)
        } else {
            past.objects = told(heard, past, replaced, quiet, source)
        }
        if source.origin == .merge { past.objects.inserted.removeAll { !telling.insertions.add($0) } }
        telling.insertions.remove(past.objects.deleted)
        whileTelling(of: past) { tell(observers, past.objects, source, past, after: postNotification) }
    }

    /// The objects that observers are told of in a round in which values were replaced.
    private final func told(
        _ objects: _ChangeBuckets.Objects, _ past: RoundPast, _ replaced: [ObjectIdentifier: ReplacedState],
        _ quiet: QuietlyChanged, _ source: RoundSource
    ) -> _ChangeBuckets.Objects {
        var known = Set(objects.inserted.map(ObjectIdentifier.init))
        var candidates: ContiguousArray<NSManagedObject> = []
        func add(_ object: NSManagedObject) {
            if object.context === self, !object.isDeleted, known.insert(ObjectIdentifier(object)).inserted {
                candidates.append(object)
            }
        }
        objects.updated.forEach(add)
        objects.refreshed.forEach(add)
        quiet.known.forEach(add)
        for state in replaced.values { add(state.object) }
        past.loadTogether(candidates.lazy.filter { !$0.isFault }, in: self)
        // Objects that were not read back can't be read, or have no observers.
        let changed: ContiguousArray<NSManagedObject> = candidates.filter { $0.isFault || past.isChanged($0) }
        let changedIDs = Set(changed.lazy.map(ObjectIdentifier.init))
        var told = objects
        told.updated = changed
        if source.origin == .merge { told.known = candidates.filter { !changedIDs.contains(ObjectIdentifier($0)) } }
        // A refreshed object is reported as read again, even if it did not change.
        if source.origin == .merge { told.refreshed.removeAll { !changedIDs.contains(ObjectIdentifier($0)) } }
        told.refreshed += quiet.known.filter { changedIDs.contains(ObjectIdentifier($0)) }
        let quietlyKnown = Set(quiet.known.lazy.map(ObjectIdentifier.init))
        told.unseen += quiet.all.filter { !quietlyKnown.contains(ObjectIdentifier($0)) }
        return told
    }

    /// Makes no new list if all objects changed, which is the usual case.
    private final func withoutUnchanged(_ updated: ContiguousArray<NSManagedObject>, since log: EventLog)
        -> ContiguousArray<NSManagedObject>
    {
        var next = 0
        var unchanged: Set<ObjectIdentifier> = []
        updated.forEachUnretained { if !$0.isChanged(since: log, next: &next) { unchanged.insert(ObjectIdentifier($0)) } }
        return unchanged.isEmpty ? updated : updated.filter { !unchanged.contains(ObjectIdentifier($0)) }
    }
}

/// Inserted and deleted objects that observers were not told of yet.
struct UnheardChanges {
    let inserted: Set<ObjectIdentifier>
    let deleted: Set<ObjectIdentifier>

    init(inserted: some Sequence<NSManagedObject>, deleted: some Sequence<NSManagedObject>) {
        self.inserted = Set(inserted.lazy.map(ObjectIdentifier.init))
        self.deleted = Set(deleted.lazy.map(ObjectIdentifier.init))
    }
}
