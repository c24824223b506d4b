/// A message about the porting of a source, with its place in the original text.
package struct PortingMessage: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Sendable {
        /// The rewritten source can't be built.
        case error
        /// Nothing was changed here, or a person must check the change. The compiler may say more.
        case warning
        /// The source uses a feature that systems other than Apple's, or this library, don't have.
        case missing
    }

    package let severity: Severity
    /// The line, from 1.
    package let line: Int
    /// The column, from 1, in bytes, as the compiler counts.
    package let column: Int
    /// The problem, and what to do about it.
    package let text: String
    /// The name of the missing feature.
    package let feature: String?

    package init(_ severity: Severity, line: Int, column: Int, _ text: String, feature: String? = nil) {
        self.severity = severity
        self.line = line
        self.column = column
        self.text = text
        self.feature = feature
    }

    /// The message in the form that compilers use, so that editors find the place.
    package func line(in file: String) -> String {
        "\(file):\(line):\(column): \(severity == .error ? "error" : "warning"): \(text)"
    }
}
