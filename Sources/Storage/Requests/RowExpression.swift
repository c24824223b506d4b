package import Predicates

/// A value of a query, resolved: properties are slots of entities, constants stand beside the query (see `RowRequest.constants`).
///
/// Two queries that differ only in their constants have equal expressions and predicates, so an engine can keep what it made of
/// them.
package indirect enum RowExpression: Hashable, Sendable {
    /// The constant with this index.
    case constant(Int)
    case null
    /// An attribute; nil where there is no such row.
    case attribute(RowPath, slot: Int)
    /// The key of a row; nil where there is no such row.
    case key(RowPath)
    /// The index of the concrete entity of a row. Compared with `RowValue.entity` only.
    case entity(RowPath)
    /// A function that engines compute in their own way, exactly as `Arithmetic` does: `add`, `subtract`, `multiply`, `divide` of
    /// numbers and dates; `modulus`, `bitwiseAnd`, `bitwiseOr`, `leftShift`, `rightShift`, `onesComplement` of whole numbers.
    case operation(PredicateFunction, [RowExpression])
    /// Any other function of one or two plain values, computed by `ScalarFunction`.
    case function(PredicateFunction, [RowExpression])
    /// `add`, `subtract`, `multiply` of decimals and whole numbers, without the rounding of floating-point numbers.
    case decimalOperation(PredicateFunction, [RowExpression])
    /// A number as a floating-point number: its further arithmetic is not that of whole numbers.
    case real(RowExpression)
    /// A text as `TextFolding` folds it, by the raw value of the options.
    case folded(RowExpression, UInt)
    /// The first value where the predicate is true, else the second.
    case conditional(RowPredicate, RowExpression, RowExpression)
    /// One value of all members, or of an expression for each of them that is not nil.
    case aggregate(RowAggregate, RowMembers, RowExpression?)
    /// One value of all rows of a group that have a value, or of their different values: in a `ColumnRequest` only. Nil if none
    /// has one; a count is 0 then.
    case rows(RowAggregate, RowExpression, isDistinct: Bool)
}

/// What is made of many values.
package enum RowAggregate: Hashable, Sendable {
    /// Of the members, whatever their values.
    case count
    /// 0 if there is nothing to add.
    case sum
    /// A sum that may leave 64 bits, and goes on as a floating-point number then.
    case largeSum
    case decimalSum
    case average
    case decimalAverage
    case minimum
    case maximum
}
