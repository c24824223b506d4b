/// The part of a live query that the program sees.
protocol ResultsClient: AnyObject {
    /// Whether changes are to be told. While they are not, the results stay as they are.
    var wantsChanges: Bool { get }

    /// Whether members that the program refreshes count as updated, though nothing changed in them.
    var wantsRefreshed: Bool { get }

    /// Tells the program of a change. Unless the client applies it earlier, it is applied when the results are read, or
    /// afterwards.
    func resultsWillChange(_ change: ResultsChange)

    /// Tells that all objects became useless because the context was reset.
    func contextWasReset()
}
