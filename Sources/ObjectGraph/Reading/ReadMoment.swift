/// The state of the stores that a context reads, and the age of its rows.
struct ReadMoment {
    /// The state that the context reads; nil for the newest.
    var generation: QueryGeneration?
    /// Whether a save is resolving conflicts with the saves of others. The generation does not count then.
    var readsNewest = false
    /// Below zero: values from a fetch are used until newer ones are saved. Otherwise a fault that fires reads the
    /// store.
    var stalenessInterval: Double = -1
    /// The coordinator's clock, unretained, because the context holds the coordinator. Nil for a child.
    private(set) var clock: Unmanaged<WriteClock>?
    /// The number of a save of the coordinator. No fault has a row from before it.
    private(set) var ofRows = 0
    /// The coordinator's last save that was the context's own.
    private(set) var ofOwnWrite = 0
    #if OPENCOREDATA_CHECKS
        /// The save up to which nobody else has saved since the context began.
        private(set) var ofOnlyOwnWrites = 0
    #endif

    /// Starts again with another coordinator, at the present moment.
    mutating func begin(with clock: WriteClock?) {
        self.clock = clock.map { .passUnretained($0) }
        ofRows = clock?.now ?? 0
        ofOwnWrite = 0
        #if OPENCOREDATA_CHECKS
            ofOnlyOwnWrites = ofRows
        #endif
    }

    /// Notes that no fault has a row that is older than a moment.
    mutating func noteNewRows(of moment: Int) { ofRows = moment }

    /// Notes that faults got rows that were read at an earlier moment.
    mutating func noteRows(of moment: Int) { ofRows = min(ofRows, moment) }

    /// Notes a save of the context itself, which makes none of its own rows old.
    mutating func noteOwnWrite(_ moment: Int) {
        ofOwnWrite = moment
        if ofRows == moment - 1 { ofRows = moment }
        #if OPENCOREDATA_CHECKS
            if ofOnlyOwnWrites == moment - 1 { ofOnlyOwnWrites = moment }
        #endif
    }
}
