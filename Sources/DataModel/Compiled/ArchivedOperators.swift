import Foundation
import Predicates

/// How archives write the operators of comparisons: by Apple's numbers, in objects of several classes.
enum ArchivedOperators {
    typealias Operator = _NSComparisonPredicate.Operator

    /// Foundation's own numbers differ from Apple's on other systems.
    static let byNumber: [Int: Operator] = [
        0: .lessThan, 1: .lessThanOrEqualTo, 2: .greaterThan, 3: .greaterThanOrEqualTo, 4: .equalTo, 5: .notEqualTo, 6: .matches,
        7: .like, 8: .beginsWith, 9: .endsWith, 10: .in, 99: .contains, 100: .between,
    ]

    /// The class of an operator's object, by its number.
    static let classes: [Int: String] = [
        0: comparison, 1: comparison, 2: comparison, 3: comparison, 4: "NSEqualityPredicateOperator",
        5: "NSEqualityPredicateOperator", 6: "NSMatchingPredicateOperator", 7: "NSLikePredicateOperator",
        8: "NSSubstringPredicateOperator", 9: "NSSubstringPredicateOperator", 10: "NSInPredicateOperator",
        99: "NSInPredicateOperator", 100: "NSBetweenPredicateOperator",
    ]

    private static let comparison = "NSComparisonPredicateOperator"

    static func number(of comparisonOperator: Operator) -> Int? { byNumber.first { $0.value == comparisonOperator }?.key }
}
