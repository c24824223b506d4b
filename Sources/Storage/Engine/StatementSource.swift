/// An engine that sends text to a database, and tells which: for tests that count or compare it.
package protocol StatementSource {
    /// Calls `handler` with the text of each statement that begins to run from now on, on the thread that runs it.
    /// Texts have parameters, not values.
    ///
    /// - Returns: a number for `removeStatementHandler(_:)`.
    func addStatementHandler(_ handler: @escaping @Sendable (String) -> Void) -> Int

    /// Ends the calls of a handler.
    func removeStatementHandler(_ number: Int)
}
