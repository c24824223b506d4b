/// The part of a live query that the program sees.
protocol ResultsClient: AnyObject {
    /// Whether changes are told. While they are not told, the results stay as they are.
    var wantsChanges: Bool { get }

    /// Whether members that the program refreshes count as updated although their values are the same.
    var wantsRefreshed: Bool { get }

    /// Tells the program of a change. Unless the client applies it earlier, it is applied when the results are read, or
    /// afterwards.
    func resultsWillChange(_ change: ResultsChange)

    /// Tells the client that all objects became invalid because the context was reset.
    func contextWasReset()
}
