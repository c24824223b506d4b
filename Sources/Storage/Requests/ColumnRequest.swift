import DataModel
package import Predicates

/// Values that a store computes of its rows, or of groups of them, in place of whole rows.
package struct ColumnRequest {
    package struct Order {
        package let expression: RowExpression
        package let isAscending: Bool
        package let textComparison: TextComparison

        package init(_ expression: RowExpression, isAscending: Bool, _ textComparison: TextComparison) {
            self.expression = expression
            self.isAscending = isAscending
            self.textComparison = textComparison
        }
    }

    /// Which rows: entity, predicate and constants. The constants are those of all parts of the request.
    package var rows: RowRequest
    package var columns: [RowExpression] = []
    /// Rows that have these values in common make one result. Without any, all rows make one if `isGrouped`.
    package var groups: [RowExpression] = []
    package var isGrouped = false
    /// Which groups.
    package var condition: RowPredicate?
    package var order: [Order] = []
    package var isDistinct = false
    /// 0 means no limit. Both count results.
    package var limit = 0
    package var offset = 0

    package init(_ rows: RowRequest) { self.rows = rows }
}

/// A source of rows that can compute values from them.
package protocol ColumnSource: RowSource {
    /// Whether it can compute a column, or a group. It gets no others.
    func evaluates(_ column: RowExpression) -> Bool

    /// Computes the columns and hands them over, result by result. An entity comes as its index in the model.
    func fetchColumns(_ request: ColumnRequest, _ take: ([RowValue?]) -> Void) throws
}
