package import Foundation

/// The right side of a text operator, made ready for many texts: BEGINSWITH, ENDSWITH, CONTAINS, LIKE and MATCHES with their
/// options.
///
/// A store's SQL functions use it too, so that a predicate gives the same answer in memory and in the store. It may be used from
/// any thread.
package struct TextMatcher: Sendable {
    private enum Pattern: Sendable {
        case prefix(String)
        case suffix(String)
        case part(String)
        case wildcards(WildcardPattern)
        case regularExpression(NSRegularExpression)
    }

    private let pattern: Pattern
    private let options: _NSComparisonPredicate.Options

    /// Prepares a pattern.
    ///
    /// - Throws: `InvalidPredicateError` of kind `pattern` for a regular expression that can't be read, of kind `unsupported` for
    ///   an operator that is not one of the five.
    package init(
        _ comparisonOperator: _NSComparisonPredicate.Operator, _ pattern: String, _ options: _NSComparisonPredicate.Options = []
    ) throws {
        self.options = options
        switch comparisonOperator {
        case .beginsWith: self.pattern = .prefix(TextFolding.fold(pattern, options))
        case .endsWith: self.pattern = .suffix(TextFolding.fold(pattern, options))
        case .contains: self.pattern = .part(TextFolding.fold(pattern, options))
        case .like: self.pattern = .wildcards(WildcardPattern(pattern) { TextFolding.fold($0, options) })
        case .matches: self.pattern = .regularExpression(try Self.expression(pattern, options))
        default: throw InvalidPredicateError(.unsupported, "The operator \(comparisonOperator) does not match texts")
        }
    }

    /// Whether a text fits the pattern.
    ///
    /// - Throws: `InvalidPredicateError` of kind `pattern` if a regular expression takes too long.
    package func matches(_ text: String) throws -> Bool {
        switch pattern {
        case .prefix(let prefix): Text.hasPrefix(TextFolding.fold(text, options), prefix)
        case .suffix(let suffix): Text.hasSuffix(TextFolding.fold(text, options), suffix)
        case .part(let part): Text.contains(TextFolding.fold(text, options), part)
        case .wildcards(let wildcards): wildcards.matches(TextFolding.fold(text, options))
        case .regularExpression(let expression): try Self.matches(expression, subject(text))
        }
    }

    /// The text that a regular expression sees. The expression decides on case by itself: its classes and escapes must not be
    /// folded.
    private func subject(_ text: String) -> String { TextFolding.fold(text, options.subtracting(.caseInsensitive)) }

    private static func expression(_ pattern: String, _ options: _NSComparisonPredicate.Options) throws -> NSRegularExpression {
        let folded = TextFolding.fold(pattern, options.subtracting(.caseInsensitive))
        let ignoresCase = options.contains(.caseInsensitive) && !options.contains(.normalized)
        let expressionOptions: NSRegularExpression.Options = ignoresCase ? [.caseInsensitive] : []
        let bare: NSRegularExpression
        do {
            // Foundation refuses an empty pattern.
            bare = try NSRegularExpression(pattern: folded.isEmpty ? "(?:)" : folded, options: expressionOptions)
        } catch {
            throw InvalidPredicateError(
                .pattern, "\"\(pattern)\" is not a regular expression",
                suggestion: "MATCHES takes ICU's syntax. For wildcards (* and ?) use LIKE.")
        }
        // The frame makes alternatives (`a|ab`) try for the whole text. A pattern that ends in a comment or a quotation can't
        // have one.
        let framed = try? NSRegularExpression(pattern: "\\A(?:\(folded))\\z", options: expressionOptions)
        return framed ?? bare
    }

    private static func matches(_ expression: NSRegularExpression, _ text: String) throws -> Bool {
        try expression.boundedMatch(in: text) == NSRange(location: 0, length: text.utf16.count)
    }
}
