/// A source after it was rewritten.
package struct PortedSource: Sendable {
    package let text: String
    /// How often each rule changed something.
    package let counts: [PortingRule: Int]
    /// The messages in the order of the text.
    package let messages: [PortingMessage]
    /// The classes and extensions that it declares; none if it does not parse.
    package let classes: [ClassOutline]
    /// False if the source is not valid Swift.
    package let parses: Bool

    init(text: String, counts: [PortingRule: Int], messages: [PortingMessage], classes: [ClassOutline]) {
        self.text = text
        self.counts = counts
        self.messages = messages
        self.classes = classes
        parses = true
    }

    init(text: String, failure: [PortingMessage]) {
        self.text = text
        messages = failure
        counts = [:]
        classes = []
        parses = false
    }
}

extension PortedSource {
    /// The text for a copy that is compiled in place of the source. Messages of the compiler, breakpoints and
    /// `#filePath` name the source.
    ///
    /// - Parameter path: The path of the source.
    package func textAsCopy(of path: String) -> String {
        // A byte order mark is allowed only at the beginning.
        let body = text.unicodeScalars.first == "\u{FEFF}" ? String(text.unicodeScalars.dropFirst()) : text
        // The directive can't have a path with a line end.
        guard !path.contains(where: \.isNewline) else { return body }
        return "#sourceLocation(file: \(stringLiteral(path)), line: 1)\n\(body)"
    }
}
