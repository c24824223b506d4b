import Foundation

extension ConversionState {
    /// A number for the order of two texts, as there is no operator for it: 0, −1 or 1.
    mutating func order(
        _ left: some PredicateExpression, _ right: some PredicateExpression, _ options: NSComparisonPredicate.Options
    ) throws -> Result {
        let a = try expression(left)
        let b = try expression(right)
        func test(_ comparisonOperator: NSComparisonPredicate.Operator) -> PredicateNode {
            .comparison(ComparisonNode(a, comparisonOperator, b, options: options))
        }
        let unequal = ExpressionNode.conditional(test(.lessThan), .constant(.integer(-1)), .constant(.integer(1)))
        return .expression(.conditional(test(.equalTo), .constant(.integer(0)), unequal))
    }
}
