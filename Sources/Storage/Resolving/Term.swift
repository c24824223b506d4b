import DataModel
import Predicates

/// What a part of a predicate stands for.
indirect enum Term {
    case literal(PredicateValue)
    case value(RowExpression, RowType)
    case object(RowPath)
    case composite(RowPath, CompositeLayout)
    case members(MembersTerm)
    /// `{a, b}` with elements that depend on the row.
    case elements([Term])

    var isNullLiteral: Bool {
        if case .literal(.null) = self { true } else { false }
    }

    var isNaNLiteral: Bool {
        if case .literal(let value) = self { value.isNaN } else { false }
    }
}

/// The members of to-many relationships, or a value of each.
struct MembersTerm {
    /// One for each to-many relationship on the way; each starts at a member of the one before.
    var steps: [RowMembers]
    var element: Term
}
