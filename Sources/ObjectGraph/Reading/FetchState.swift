import DataModel

/// The fetches that a context is in the middle of, and what they leave behind for those who ask next.
struct FetchState {
    /// Whether a fetch is running, whose rows are the newest.
    var isRunning = false
    /// The number of nested fetch requests, as parts of predicates, that are being executed.
    var depth = 0
    /// Objects that were found without values: they are loaded together.
    var batches = FaultBatches()
    /// What fetched properties have found.
    var values = FetchedValues()

    mutating func forgetFound() {
        batches.removeAll()
        values.removeAll()
    }
}
