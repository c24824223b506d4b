/// The reserved words of the format language.
import Foundation

enum PredicateKeyword: String, CaseIterable, Sendable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case all = "ALL"
    case any = "ANY"
    case some = "SOME"
    case none = "NONE"
    case `in` = "IN"
    case like = "LIKE"
    case matches = "MATCHES"
    case contains = "CONTAINS"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case between = "BETWEEN"
    case null = "NULL"
    case `nil` = "NIL"
    case `self` = "SELF"
    case `true` = "TRUE"
    case `false` = "FALSE"
    case yes = "YES"
    case no = "NO"
    case anyKey = "ANYKEY"
    case subquery = "SUBQUERY"
    case cast = "CAST"
    case function = "FUNCTION"
    case ternary = "TERNARY"
    case fetch = "FETCH"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case utiConformsTo = "UTI-CONFORMS-TO"
    case utiEquals = "UTI-EQUALS"
    // Special only in brackets or between two expressions, so a key of that name needs no escape to be read; it gets one when
    // printed.
    case first = "FIRST"
    case last = "LAST"
    case size = "SIZE"
    case union = "UNION"
    case intersect = "INTERSECT"
    case minus = "MINUS"
    case caseInsensitive = "CASEINSENSITIVE"
    case ci = "CI"

    private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })

    init?(word: String) {
        // Longer words are keys, and nearly all words are: no upper-case copy for those.
        guard word.utf8.count <= 15, let keyword = Self.byName[word.uppercased()] else { return nil }
        self = keyword
    }
}

extension RawRepresentable where Self == _NSComparisonPredicate.Operator {
    /// The operator as printed.
    var symbol: String {
        switch self {
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        case .equalTo: "=="
        case .notEqualTo: "!="
        case .matches: "MATCHES"
        case .like: "LIKE"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .in: "IN"
        case .contains: "CONTAINS"
        case .between: "BETWEEN"
        }
    }
}

extension OptionSet where Self == _NSComparisonPredicate.Options {
    /// The options as printed: letters in brackets, or nothing.
    var symbol: String {
        let letters = [
            (_NSComparisonPredicate.Options.caseInsensitive, "c"), (.diacriticInsensitive, "d"), (.normalized, "n"),
            (.localeSensitive, "l"),
        ]
        .filter { contains($0.0) }.map(\.1).joined()
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
