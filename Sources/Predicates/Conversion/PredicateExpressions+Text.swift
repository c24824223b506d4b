public import Foundation

// What the #Predicate macro accepts everywhere, but only Apple's Foundation has a function for.

extension PredicateExpressions {
    /// What `text.localizedStandardContains(other)` becomes in `#Predicate`.
    public typealias LocalizedStandardContains<Root: PredicateExpression<String>, Other: PredicateExpression<String>> =
        RangeExpressionContains<KeyPath<Root, _LocalizedStandardContents>, Other>

    /// Makes the expression `text.localizedStandardContains(other)`.
    public static func build_localizedStandardContains<Root, Other>(
        _ root: Root, _ other: Other
    ) -> LocalizedStandardContains<Root, Other> where Root.Output == String, Other.Output == String {
        RangeExpressionContains(range: KeyPath(root: root, keyPath: \.localizedStandardContents), element: other)
    }

    /// What the order of two texts becomes in `#Predicate`: conditions whether they are the same, and whether the second
    /// comes later.
    public typealias _TextOrdering<
        Root: PredicateExpression<String>, Other: PredicateExpression<String>, Same: RangeExpression<String>,
        Later: RangeExpression<String>
    > = Conditional<
        RangeExpressionContains<KeyPath<Root, Same>, Other>, Value<ComparisonResult>,
        Conditional<RangeExpressionContains<KeyPath<Root, Later>, Other>, Value<ComparisonResult>, Value<ComparisonResult>>
    >

    /// Makes the expression `text.caseInsensitiveCompare(other)`.
    public static func build_caseInsensitiveCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> _TextOrdering<Root, Other, _CaseVariants, _CaseInsensitiveSuccessors>
    where Root.Output == String, Other.Output == String {
        ordering(root, other, \.caseVariants, \.caseInsensitiveSuccessors)
    }

    /// Makes the expression `text.localizedCompare(other)`.
    public static func build_localizedCompare<Root, Other>(
        _ root: Root, _ other: Other
    ) -> _TextOrdering<Root, Other, _LocalizedVariants, _LocalizedSuccessors>
    where Root.Output == String, Other.Output == String {
        ordering(root, other, \.localizedVariants, \.localizedSuccessors)
    }

    private static func ordering<Root, Other, Same, Later>(
        _ root: Root, _ other: Other, _ same: any Swift.KeyPath<String, Same> & Sendable,
        _ later: any Swift.KeyPath<String, Later> & Sendable
    ) -> _TextOrdering<Root, Other, Same, Later> {
        Conditional(
            test: RangeExpressionContains(range: KeyPath(root: root, keyPath: same), element: other),
            trueBranch: Value(.orderedSame),
            falseBranch: Conditional(
                test: RangeExpressionContains(range: KeyPath(root: root, keyPath: later), element: other),
                trueBranch: Value(.orderedAscending), falseBranch: Value(.orderedDescending)))
    }
}
