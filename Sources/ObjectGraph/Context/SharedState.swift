/// What every thread may touch of a context. Each part guards itself; which objects they are never changes.
struct SharedState {
    /// Who hears of rounds and saves.
    let observers = ObserverList<any _BucketObserver>()
    /// The latest saves of the context, for those who merge them.
    let saveNotices = SaveNotices()
    /// The children that merge each save of the context.
    let receivers = ContextList()
    /// How often the context got newer rows, by a merge or a batch request of its own. Rows that were read before must
    /// not replace them.
    let newerRows = WriteClock()
    /// Where objects are that had temporary IDs. Its entries belong to the context's queue.
    let permanentPlaces = PermanentPlaces()
    /// Who tracks the reading of properties.
    let tracking = ObservationTracking()
    /// Runs the jobs of actors on the context's queue.
    let executor = ContextExecutor()
}
