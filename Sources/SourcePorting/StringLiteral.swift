/// A Swift string literal of a text.
func stringLiteral(_ text: String) -> String {
    "\"" + text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined() + "\""
}

extension String {
    /// The name without the backticks that a keyword needs.
    var withoutBackticks: String { count > 2 && hasPrefix("`") && hasSuffix("`") ? String(dropFirst().dropLast()) : self }

    /// The text with its first letter as a capital one.
    var withCapital: String { prefix(1).uppercased() + dropFirst() }
}
