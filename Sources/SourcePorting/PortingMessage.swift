/// Something that whoever ports a source must know, with its place in the text as it was.
package struct PortingMessage: Hashable, Sendable {
    /// How bad it is.
    package enum Severity: String, Sendable {
        /// The result can't be built.
        case error
        /// Nothing was changed here, or something that only a person can check; the compiler may say more.
        case warning
        /// The source uses what systems other than Apple's, or this library, don't have.
        case missing
    }

    package let severity: Severity
    /// From 1.
    package let line: Int
    /// From 1, in bytes, as the compiler counts.
    package let column: Int
    /// What is wrong and what to do.
    package let text: String
    /// The name of what is missing.
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
