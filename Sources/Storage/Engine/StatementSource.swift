/// An engine that sends text to a database, and tells which: for tests that count or compare it, and for tools that explain it.
package protocol StatementSource {
    /// Calls `handler` with the text of each statement that begins to run from now on, on the thread that runs it.
    /// Texts have parameters, not values.
    ///
    /// - Returns: a number for `removeStatementHandler(_:)`.
    func addStatementHandler(_ handler: @escaping @Sendable (String) -> Void) -> Int

    /// Ends the calls of a handler.
    func removeStatementHandler(_ number: Int)

    /// How the database would run a statement that it was sent, a line a step, indented by depth. The statement is not run.
    func plan(of statement: String) throws -> [String]

    /// What the database finds damaged in its own file; empty if nothing is. Reads the whole file.
    func damages() throws -> [String]
}
