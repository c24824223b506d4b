/// What a history request gives.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// Whether it succeeded, which is always `true`.
    case statusOnly = 0
    /// The IDs of the changed objects, each once, in the order of the changes.
    case objectIDs = 1
    /// How many transactions there are, or how many changes for a request that fetches changes.
    case count = 2
    /// The transactions, without their changes.
    case transactionsOnly = 3
    /// The changes.
    case changesOnly = 4
    /// The transactions with their changes.
    case transactionsAndChanges = 5
}
