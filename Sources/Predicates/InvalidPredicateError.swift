public import Foundation

/// What is wrong with a predicate. The initializers and methods that validate throw it. Those of Apple's API that can't throw
/// stop the program with its text.
///
/// `description` shows the predicate's text and, where there is a place to show, a line with a caret under it:
///
/// ```
/// Unable to parse the format string "title == ": a value is missing after "=="
///     title ==
///              ^
/// ```
///
/// As an `NSError` it is in `NSCocoaErrorDomain`: code 2048 (formatting) for texts that can't be read, 134060 (Core Data) for the
/// rest.
public struct InvalidPredicateError: Error, Hashable, Sendable {
    /// The kind of mistake. New kinds may come, so a `switch` needs a default.
    public struct Kind: Hashable, Sendable, CustomStringConvertible {
        /// The kind's name.
        public let description: String

        /// The text is not a predicate or expression.
        public static let syntax = Kind(description: "syntax")
        /// An argument is missing or has a type that its place can't use.
        public static let argument = Kind(description: "argument")
        /// The text or tree is nested too deeply.
        public static let nesting = Kind(description: "nesting")
        /// A function does not exist or takes another number of arguments.
        public static let function = Kind(description: "function")
        /// A regular expression can't be read.
        public static let pattern = Kind(description: "pattern")
        /// A value has a type that the operator or function can't use.
        public static let type = Kind(description: "type")
        /// A `$variable` has no value.
        public static let variable = Kind(description: "variable")
        /// An object has no value for a key.
        public static let key = Kind(description: "key")
        /// A part has no meaning where the predicate is used: a closure in a store, Spotlight's ANYKEY, a Swift expression
        /// without a counterpart.
        public static let unsupported = Kind(description: "unsupported")
    }

    /// The kind of mistake.
    public let kind: Kind
    /// What is wrong, in one sentence.
    public let message: String
    /// The format string or the predicate's text, if known.
    public let text: String?
    /// How many characters of `text` come before the place of the mistake; `nil` if the mistake has no place.
    public let position: Int?
    /// What to write instead, if there is something to propose.
    public let suggestion: String?

    package init(_ kind: Kind, _ message: String, text: String? = nil, position: Int? = nil, suggestion: String? = nil) {
        self.kind = kind
        self.message = message
        self.text = text
        self.position = position
        self.suggestion = suggestion
    }

    /// The same error with the text in which it was found, unless it knows one already.
    package func found(in text: @autoclosure () -> String) -> InvalidPredicateError {
        self.text == nil ? InvalidPredicateError(kind, message, text: text(), position: position, suggestion: suggestion) : self
    }
}

extension InvalidPredicateError: CustomStringConvertible {
    /// The message, the text and a caret under the place of the mistake.
    public var description: String {
        var lines = [summary]
        if let text, let position {
            lines += Self.caretLines(text, position)
        } else if let text, kind != .syntax {
            lines.append("    " + text)
        }
        if let suggestion { lines.append(suggestion) }
        return lines.joined(separator: "\n")
    }

    private var summary: String {
        guard let text, position != nil else { return message }
        return "Unable to parse the format string \"\(text)\": \(message)"
    }

    /// The line of the text that has the place, cut to what fits, and the caret.
    private static func caretLines(_ text: String, _ position: Int) -> [String] {
        let characters = Array(text)
        let position = min(max(position, 0), characters.count)
        let start = characters[..<position].lastIndex(where: \.isNewline).map { $0 + 1 } ?? 0
        let end = characters[position...].firstIndex(where: \.isNewline) ?? characters.count
        let from = max(start, position - 60)
        let to = min(end, position + 40)
        let before = (from > start ? "…" : "") + String(characters[from..<position]).replacingOccurrences(of: "\t", with: " ")
        let after = String(characters[position..<to]) + (to < end ? "…" : "")
        return ["    " + before + after, "    " + String(repeating: " ", count: before.count) + "^"]
    }
}

extension InvalidPredicateError: LocalizedError {
    /// The whole description.
    public var errorDescription: String? { description }
}

extension InvalidPredicateError: CustomNSError {
    /// `NSCocoaErrorDomain`.
    public static var errorDomain: String { CocoaError.errorDomain }

    /// 2048 for texts that can't be read, 134060 for the rest.
    public var errorCode: Int {
        kind == .syntax || kind == .argument || kind == .nesting ? CocoaError.formatting.rawValue : 134060
    }

    /// The description for people and for debugging.
    public var errorUserInfo: [String: Any] {
        [NSLocalizedDescriptionKey: description, NSDebugDescriptionErrorKey: description]
    }
}
