/// The part of a context that every thread may use. Each object guards itself, and the references never change.
struct SharedState {
    /// The observers of rounds and saves.
    let observers = ObserverList<any _BucketObserver>()
    /// The latest saves of the context, for contexts that merge them.
    let saveNotices = SaveNotices()
    /// The children that merge each save of the context.
    let receivers = ContextList()
    /// How often the context got newer rows, by a merge or a batch request of its own. Rows that were read before must
    /// not replace them.
    let newerRows = WriteClock()
    /// The places of objects that had temporary IDs. Its entries are confined to the context's queue.
    let permanentPlaces = PermanentPlaces()
    /// The trackers of the reading of properties.
    let tracking = ObservationTracking()
    /// Runs the jobs of actors on the context's queue.
    let executor = ContextExecutor()
}
