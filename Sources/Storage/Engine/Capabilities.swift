// What engines may do beside reading and saving rows. Code that needs one of these asks here first, and has another way
// if the answer is no.

extension RowSource {
    /// Computes columns; nil if it can't, and the object graph computes them in memory.
    package var columns: (any ColumnSource)? { nil }
}

extension SaveTransaction {
    /// Writes many rows at once; nil if it can't.
    package var batches: (any BatchTransaction)? { nil }
}

extension StorageEngine {
    /// Tells of the texts that it sends to a database; nil if it sends none.
    package var statements: (any StatementSource)? { nil }

    /// Copies the whole store; nil if only its rows can be copied.
    package var copying: (any CopyingEngine)? { nil }

    /// Reads the history of the store; nil if it can't have one.
    package var history: (any HistoryEngine)? { nil }

    /// Rows are read as they are now.
    package var hasSnapshots: Bool { false }
    package func makeSnapshot() throws -> (any RowSource)? { nil }

    /// A reader waits until the engine is free.
    package func readBeside<Result>(_ body: (any RowSource) throws -> Result) throws -> Result? { nil }

    /// Nobody else writes to the store.
    package func makeChangeCounter() throws -> (() throws -> Int)? { nil }

    /// There is nothing to tidy up.
    package func maintain() throws {}

    /// Rows are found by what a request says.
    package var executesRequests: Bool { false }

    /// A reading inside a transaction sees what the transaction has written.
    package var showsUnsavedRows: Bool { true }

    /// Programs may not send batch requests to it.
    package var takesBatchRequests: Bool { false }

    /// What is computed in memory may be asked for.
    package var allowsTransients: Bool { true }
}
