/// Where commands write to. The library itself prints nothing.
@MainActor package protocol ToolOutput: AnyObject {
    /// The columns of the terminal; nil where results are no terminal's.
    var width: Int? { get }
    /// How results are painted.
    var style: TextStyle { get }
    /// Writes a line of results.
    func line(_ text: String)
    /// Writes a remark that is no result.
    func remark(_ text: String)
    /// Shows how far a long work has come, where a person is watching.
    func progress(_ text: String)
}

extension ToolOutput {
    func write(_ table: TextTable) {
        for line in table.lines(width: width, style: style) { self.line(line) }
    }

    func write(_ value: JSONValue) { line(value.pretty) }
}
