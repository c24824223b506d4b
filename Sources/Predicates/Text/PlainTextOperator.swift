/// A text operator with a pattern known beforehand, as the plainest operator that means the same: `LIKE 'a*'` is BEGINSWITH 'a'.
package import Foundation

package struct PlainTextOperator {
    package let comparisonOperator: _NSComparisonPredicate.Operator
    package let text: String

    package init(_ comparisonOperator: _NSComparisonPredicate.Operator, _ pattern: String) {
        if comparisonOperator == .like, let (plain, text) = WildcardPattern.plainer(pattern) {
            self.comparisonOperator = plain
            self.text = text
        } else {
            self.comparisonOperator = comparisonOperator
            text = pattern
        }
    }
}
