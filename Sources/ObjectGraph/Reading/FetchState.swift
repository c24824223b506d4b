import DataModel

/// The fetches of a context that are under way, and what they leave for later reading.
struct FetchState {
    /// Whether a fetch is running, whose rows are the newest.
    var isRunning = false
    /// The number of nested fetch requests, as parts of predicates, that are being executed.
    var depth = 0
    /// Objects that were found without values. They are loaded together.
    var batches = FaultBatches()
    /// The results of fetched properties.
    var values = FetchedValues()

    mutating func forgetFound() {
        batches.removeAll()
        values.removeAll()
    }
}
