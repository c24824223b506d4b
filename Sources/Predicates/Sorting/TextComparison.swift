package import Foundation

/// How a sort descriptor compares texts. Values of other types are compared in the same way by all.
///
/// A store's collations use it too, so that sorting in memory and in the store agree.
package enum TextComparison: String, CaseIterable, Sendable {
    /// By Unicode code points.
    case codePoints = "compare:"
    /// By code points after case is folded.
    case caseInsensitive = "caseInsensitiveCompare:"
    /// As the current locale sorts.
    case localized = "localizedCompare:"
    case localizedCaseInsensitive = "localizedCaseInsensitiveCompare:"
    /// As file managers sort: numbers in texts by value, case by the way.
    case localizedStandard = "localizedStandardCompare:"

    package func compare(_ a: String, _ b: String) -> ComparisonResult {
        switch self {
        case .codePoints: TextOrder.compare(a, b, [])
        case .caseInsensitive: TextOrder.compare(a, b, .caseInsensitive)
        case .localized: TextOrder.compare(a, b, .localeSensitive)
        case .localizedCaseInsensitive: TextOrder.compare(a, b, [.localeSensitive, .caseInsensitive])
        case .localizedStandard:
            a.compare(b, options: [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering], range: nil, locale: .current)
        }
    }
}
