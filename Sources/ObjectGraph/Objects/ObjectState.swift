/// The state of a managed object, in one word, so that the write path tests it once.
///
/// The states of an object in its context:
///
/// | bits | the object | its entry in `ChangeLists` |
/// | --- | --- | --- |
/// | none of those below | is as it was saved | none, or a stale one |
/// | `inserted` | is new | `inserted` |
/// | `updated` | was saved before, and changed | `updated` |
/// | `deleted` | was saved before, and will be deleted by the next save | `deleted` |
/// | `inserted`, `deleted` | was new in an event that has not been processed: it goes with it | `inserted` |
/// | `updated`, `deleted` | changed, and will be deleted | `deleted`, and a stale one in `updated` |
/// | `deleted`, `deletedElsewhere` | will be deleted here, and others have deleted its row | `deleted` |
/// | the same and `deletedByMerge` | others have deleted its row, and nobody here | `deleted`; none if it was a fault |
/// | `gone` | is no longer part of the context | none |
///
/// In the present event it has `eventInserted`, `eventUpdated`, `eventDeleted` and `eventRefreshed`, each with an entry
/// in the list of that name. `GraphChecker` checks these rules; builds with `OPENCOREDATA_CHECKS` do so after each change.
@usableFromInline struct ObjectState: OptionSet, Sendable {
    @usableFromInline var rawValue: UInt32

    @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

    // MARK: What the object is since the last save

    static let inserted = ObjectState(rawValue: 1 << 0)
    static let updated = ObjectState(rawValue: 1 << 1)
    static let deleted = ObjectState(rawValue: 1 << 2)
    /// Deleted by a save elsewhere. The next save has nothing to do for it, and rolling back does not restore it.
    static let deletedElsewhere = ObjectState(rawValue: 1 << 3)
    /// Deleted only because it was deleted elsewhere, and not also here.
    static let deletedByMerge = ObjectState(rawValue: 1 << 4)
    /// Deleted before it was ever saved, or deleted and saved: no longer part of the context.
    static let gone = ObjectState(rawValue: 1 << 5)
    /// New in this context, and pushed to its parent. Observers were told of it before the parent's save is merged.
    static let pushedAsNew = ObjectState(rawValue: 1 << 6)

    // MARK: What happened to it in the present event

    static let eventInserted = ObjectState(rawValue: 1 << 7)
    static let eventUpdated = ObjectState(rawValue: 1 << 8)
    static let eventDeleted = ObjectState(rawValue: 1 << 9)
    static let eventRefreshed = ObjectState(rawValue: 1 << 10)
    /// Has unsaved changes from earlier events, so its values at the beginning of the present event are not those of
    /// its snapshot.
    static let changedBefore = ObjectState(rawValue: 1 << 11)

    // MARK: Its entries

    /// Has an entry in the context's list of that name, even if the entry no longer counts. It then needs no second
    /// entry to count again.
    static let inUpdatedList = ObjectState(rawValue: 1 << 12)
    static let inDeletedList = ObjectState(rawValue: 1 << 13)
    static let inEventUpdated = ObjectState(rawValue: 1 << 14)
    static let inEventDeleted = ObjectState(rawValue: 1 << 15)

    // MARK: Its values

    /// The row is a draft of this object's own.
    static let draft = ObjectState(rawValue: 1 << 16)
    /// A draft whose change is already noted in this event. The next write needs only the slot.
    ///
    /// It is computed, like the others that accessors test, because other modules would have to look up a constant.
    @inlinable static var writable: ObjectState { ObjectState(rawValue: 1 << 17) }
    /// Inside `awakeFromFetch`: writes are not changes.
    static let awakening = ObjectState(rawValue: 1 << 18)
    /// The values could not be read. In memory they are nil, apart from changes made since.
    @inlinable static var unread: ObjectState { ObjectState(rawValue: 1 << 19) }
    /// Has numbers that its attributes can't hold; see `UnfitValues`. Such an object is never `writable`.
    static let hasUnfitValues = ObjectState(rawValue: 1 << 20)
    /// Members were loaded before the row that the object has now. Others may have added more in between, which is not
    /// a conflict.
    static let hasOlderMembers = ObjectState(rawValue: 1 << 21)
    /// The context keeps values of fetched properties for the object.
    static let hasFetchedValues = ObjectState(rawValue: 1 << 22)
    /// Was set as the destination of a relationship when it was deleted or gone already.
    static let wasSetWhenGone = ObjectState(rawValue: 1 << 23)
    /// Is among the destinations that the running step of a prefetch has found.
    static let foundByPrefetch = ObjectState(rawValue: 1 << 29)
    /// An image of another object. It can only be read.
    static let image = ObjectState(rawValue: 1 << 24)

    // MARK: Who observes it

    /// Reading a property may be tracked: at least one tracker is active.
    @inlinable static var tracksReading: ObjectState { ObjectState(rawValue: 1 << 25) }
    /// A property was read under tracking. Each write takes the slow path.
    static let isTracked = ObjectState(rawValue: 1 << 26)
    /// Has key-value observers, or had some. Such an object is tracked, too.
    static let isObserved = ObjectState(rawValue: 1 << 27)
    /// Every property that is read is recorded.
    static let recordsReading = ObjectState(rawValue: 1 << 28)

    /// The bits that end with the event.
    static let eventMask: ObjectState = [
        .eventInserted, .eventUpdated, .eventDeleted, .eventRefreshed, .inEventUpdated, .inEventDeleted,
    ]
}
