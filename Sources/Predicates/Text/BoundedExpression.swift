package import Foundation

extension NSRegularExpression {
    /// How much work one text may make: some tenths of a second. ICU reports every ten thousand steps.
    private static let greatestEffort = 1000

    /// The range of the first match in a text; nil if there is none.
    ///
    /// Some patterns take twice as long for each character more (“(a+)+b” for a text of a's), so that a stranger's pattern or
    /// text could keep the program busy for ever.
    ///
    /// - Throws: `InvalidPredicateError` of kind `pattern` if it takes too long to find out.
    package func boundedMatch(in text: String, options: MatchingOptions = []) throws -> NSRange? {
        var (match, effort): (NSRange?, Int) = (nil, 0)
        enumerateMatches(in: text, options: options.union(.reportProgress), range: NSRange(location: 0, length: text.utf16.count))
        { result, _, stop in
            if let result {
                match = result.range
                stop.pointee = true
            } else {
                effort += 1
                if effort > Self.greatestEffort { stop.pointee = true }
            }
        }
        guard match != nil || effort <= Self.greatestEffort else {
            throw InvalidPredicateError(
                .pattern, "Matching a text of \(text.utf16.count) characters with \"\(pattern)\" takes too long",
                suggestion:
                    "The reason is a repetition in a repetition, such as (a+)+: write a pattern that can fail in only one way.")
        }
        return match
    }
}
