package import Foundation

/// A predicate as a tree: what the parser makes, what evaluation compiles, what SQL generation walks.
///
/// The classes (`NSComparisonPredicate`, `NSCompoundPredicate`) are faces of it. `PredicateNode(_:)` gives the tree of any
/// `NSPredicate`.
package indirect enum PredicateNode {
    /// TRUEPREDICATE or FALSEPREDICATE.
    case constant(Bool)
    case comparison(ComparisonNode)
    case not(PredicateNode)
    /// True if all are; an empty list is true. Operands that are themselves `and` are possible: they were written in parentheses.
    case and([PredicateNode])
    /// True if one is; an empty list is false.
    case or([PredicateNode])
    /// A predicate that can't be looked into: a block, or a user's own subclass. It evaluates in memory only.
    case foreign(NSPredicate)
}

/// A comparison of two expressions.
package struct ComparisonNode {
    package var left: ExpressionNode
    package var right: ExpressionNode
    package var comparisonOperator: _NSComparisonPredicate.Operator
    /// Whether any or all elements of the left side must compare; `direct` compares the left side itself.
    package var modifier: _NSComparisonPredicate.Modifier
    package var options: _NSComparisonPredicate.Options

    package init(
        _ left: ExpressionNode, _ comparisonOperator: _NSComparisonPredicate.Operator, _ right: ExpressionNode,
        modifier: _NSComparisonPredicate.Modifier = .direct, options: _NSComparisonPredicate.Options = []
    ) {
        self.left = left
        self.right = right
        self.comparisonOperator = comparisonOperator
        self.modifier = modifier
        self.options = options
    }
}

extension OptionSet where Self == _NSComparisonPredicate.Options {
    /// `[l]`: compare by the rules of the current locale. Apple gives this bit no name in Swift.
    package static var localeSensitive: Self { Self(rawValue: 8) }
}
