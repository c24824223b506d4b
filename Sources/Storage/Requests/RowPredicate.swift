import Predicates

/// A condition on rows, resolved. It is true or false, never unknown.
package indirect enum RowPredicate: Hashable, Sendable {
    case constant(Bool)
    case not(RowPredicate)
    case and([RowPredicate])
    case or([RowPredicate])
    case isNull(RowExpression)
    /// Whether both are equal; nil equals nil only. Texts compare byte by byte.
    case equal(RowExpression, RowExpression)
    /// Whether both have values, in that order. Texts compare by code points.
    case ordered(RowExpression, Order, RowExpression)
    /// Compares texts by the current locale, with the raw value of the options.
    case collated(RowExpression, Order?, RowExpression, UInt)
    /// Whether a text contains another one, byte by byte.
    case contains(RowExpression, RowExpression)
    /// Whether `TextMatcher` finds that a text fits a pattern: raw values of the operator and the options.
    case matches(RowExpression, UInt, RowExpression, UInt)
    /// Whether a value is in the list that is the constant with this index.
    case oneOf(RowExpression, list: Int)
    /// Whether there is a member that satisfies a condition.
    case exists(RowMembers, RowPredicate)

    package enum Order: Hashable, Sendable {
        case less
        case lessOrEqual
        case greater
        case greaterOrEqual
    }

    /// All of them, without what is always true.
    package static func all(_ operands: [RowPredicate]) -> RowPredicate {
        let rest = operands.filter { $0 != .constant(true) }
        if rest.contains(.constant(false)) { return .constant(false) }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .constant(true) : .and(rest)
    }

    /// One of them, without what is never true.
    package static func any(_ operands: [RowPredicate]) -> RowPredicate {
        let rest = operands.filter { $0 != .constant(false) }
        if rest.contains(.constant(true)) { return .constant(true) }
        return rest.count == 1 ? rest[0] : rest.isEmpty ? .constant(false) : .or(rest)
    }

    /// The opposite.
    package var negated: RowPredicate {
        switch self {
        case .constant(let value): .constant(!value)
        case .not(let operand): operand
        default: .not(self)
        }
    }
}
