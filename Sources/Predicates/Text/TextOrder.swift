package import Foundation

/// Compares texts under the options of a comparison.
package enum TextOrder {
    /// The order of two texts: by code points of their folded forms, or by the current locale.
    package static func compare(_ a: String, _ b: String, _ options: _NSComparisonPredicate.Options) -> ComparisonResult {
        if options.contains(.localeSensitive), !options.contains(.normalized) {
            return a.compare(b, options: compareOptions(options), range: nil, locale: .current)
        }
        return SortKey.text(TextFolding.fold(a, options)).compare(.text(TextFolding.fold(b, options)))
    }

    /// Whether two texts are the same.
    package static func areEqual(_ a: String, _ b: String, _ options: _NSComparisonPredicate.Options) -> Bool {
        if options.contains(.localeSensitive), !options.contains(.normalized) { return compare(a, b, options) == .orderedSame }
        return Text.areEqual(TextFolding.fold(a, options), TextFolding.fold(b, options))
    }

    static func compareOptions(_ options: _NSComparisonPredicate.Options) -> String.CompareOptions {
        var result: String.CompareOptions = []
        if options.contains(.caseInsensitive) { result.insert(.caseInsensitive) }
        if options.contains(.diacriticInsensitive) { result.insert(.diacriticInsensitive) }
        return result
    }
}
