/// A text as a Swift string literal.
func stringLiteral(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
}

extension String {
    /// The name without the backticks that a keyword needs.
    var withoutBackticks: String { count > 2 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }

    /// The text with a capital first letter.
    var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
