/// Whether texts are painted.
package enum TextStyle: Sendable {
    case plain, colored

    package func bold(_ text: String) -> String { paint("1", text) }
    package func red(_ text: String) -> String { paint("31", text) }
    package func yellow(_ text: String) -> String { paint("33", text) }

    private func paint(_ code: String, _ text: String) -> String {
        self == .plain || text.isEmpty ? text : "\u{1B}[\(code)m\(text)\u{1B}[0m"
    }
}
