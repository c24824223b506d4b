/// Who shows a live query to the program.
protocol ResultsClient: AnyObject {
    /// Whether anybody wants to hear of changes. While nobody does, the results stay as they are.
    var wantsChanges: Bool { get }

    /// Whether members that the program refreshes count as updated, though nothing changed in them.
    var wantsRefreshed: Bool { get }

    /// Tells the program of a change. Unless the client applies it earlier, it is applied when the results are read, or afterwards.
    func resultsWillChange(_ change: ResultsChange)

    /// Tells that all objects became useless because the context was reset.
    func contextWasReset()
}
