/// Which state of the stores a context reads, and how new its rows are.
struct ReadMoment {
    /// The state that the context reads; nil for the newest.
    var generation: QueryGeneration?
    /// Whether a save is resolving conflicts with what others saved: then the generation does not count.
    var readsNewest = false
    /// Below zero: values that came with a fetch are good until newer ones are saved. Else a fault that fires reads the store.
    var stalenessInterval: Double = -1
    /// The coordinator's clock, unretained, because the context holds the coordinator. Nil for a child.
    private(set) var clock: Unmanaged<WriteClock>?
    /// The number of a save of the coordinator. No fault has a row from before it.
    private(set) var ofRows = 0
    /// The coordinator's last save that was the context's own.
    private(set) var ofOwnWrite = 0

    /// Begins anew with another coordinator, at the present moment.
    mutating func begin(with clock: WriteClock?) {
        self.clock = clock.map { .passUnretained($0) }
        ofRows = clock?.now ?? 0
        ofOwnWrite = 0
    }

    /// No fault has a row that is older than a moment.
    mutating func noteNewRows(of moment: Int) { ofRows = moment }

    /// Notes that faults got rows that were read at an earlier moment.
    mutating func noteRows(of moment: Int) { ofRows = min(ofRows, moment) }

    /// Notes a save of the context itself, which makes none of its own rows old.
    mutating func noteOwnWrite(_ moment: Int) {
        ofOwnWrite = moment
        if ofRows == moment - 1 { ofRows = moment }
    }
}
