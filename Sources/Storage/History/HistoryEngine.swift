/// An engine that can read the history of what was saved to its store.
package protocol HistoryEngine: StorageEngine {
    /// Whether the store keeps a history at present.
    var hasHistory: Bool { get throws }

    /// The number of the newest transaction that there ever was; 0 before the first one.
    func newestTransaction() throws -> Int64

    /// The number of the oldest transaction that is left; nil if none is left.
    func oldestTransaction() throws -> Int64?

    /// Reads transactions in their order.
    func readTransactions(_ range: HistoryRange, into body: (HistoryTransaction) throws -> Void) throws

    /// Reads the changes of transactions, in the order of the transactions, then of the changes. Changes to entities that the
    /// model does not have are left out.
    func readChanges(_ range: HistoryRange, into body: (HistoryChange) throws -> Void) throws

    /// Deletes transactions with their changes. By date it deletes what comes before the first transaction that is not older, so
    /// that no gap is left where a clock went backwards.
    ///
    /// - Returns: How many transactions are gone.
    func deleteTransactions(_ range: HistoryRange) throws -> Int

    /// Runs `body` while what is read stays the same, whoever else writes to the store.
    func readingHistory<Result>(_ body: () throws -> Result) throws -> Result
}
