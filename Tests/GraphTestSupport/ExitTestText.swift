package import Testing

package typealias ExitTestResult = ExitTest.Result

extension Optional where Wrapped == ExitTestResult {
    /// What an exit test wrote to standard error: the message of the trap.
    package var message: String {
        guard let self else { return "" }
        return String(decoding: self.standardErrorContent, as: UTF8.self)
    }
}
