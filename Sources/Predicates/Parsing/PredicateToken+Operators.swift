import Foundation

extension PredicateToken {
    /// What a token is before a value.
    enum Prefix {
        case not
        /// ANY, SOME, ALL or NONE.
        case quantifier(PredicateKeyword)
        case minus
        case complement
    }

    /// What a token is after a value.
    enum Infix: Equatable {
        case or
        case and
        case function(PredicateFunction)
        case set(ExpressionNode.SetOperation)
        case comparison(_NSComparisonPredicate.Operator)
        /// An operator that can't be there, or not in this implementation.
        case misplaced
    }

    var prefix: Prefix? {
        switch kind {
        case .symbol(.not): .not
        case .symbol(.minus): .minus
        case .symbol(.bitNot): .complement
        case .word(_, let keyword?): keyword.prefix
        default: nil
        }
    }

    var infix: Infix? {
        switch kind {
        case .symbol(let symbol): symbol.infix
        case .word(_, let keyword?): keyword.infix
        default: nil
        }
    }
}

extension PredicateToken.Symbol {
    fileprivate var infix: PredicateToken.Infix? {
        switch self {
        case .or: .or
        case .and: .and
        case .equal: .comparison(.equalTo)
        case .notEqual: .comparison(.notEqualTo)
        case .less: .comparison(.lessThan)
        case .lessOrEqual: .comparison(.lessThanOrEqualTo)
        case .greater: .comparison(.greaterThan)
        case .greaterOrEqual: .comparison(.greaterThanOrEqualTo)
        case .plus: .function(.add)
        case .minus: .function(.subtract)
        case .times: .function(.multiply)
        case .divide: .function(.divide)
        case .power: .function(.raise)
        case .bitAnd: .function(.bitwiseAnd)
        case .bitOr: .function(.bitwiseOr)
        case .bitXor: .function(.bitwiseXor)
        case .shiftLeft: .function(.leftShift)
        case .shiftRight: .function(.rightShift)
        case .assign: .misplaced
        default: nil
        }
    }
}

extension PredicateKeyword {
    fileprivate var prefix: PredicateToken.Prefix? {
        switch self {
        case .not: .not
        case .any, .some, .all, .none: .quantifier(self)
        default: nil
        }
    }

    fileprivate var infix: PredicateToken.Infix? {
        switch self {
        case .or: .or
        case .and: .and
        case .in: .comparison(.in)
        case .like: .comparison(.like)
        case .matches: .comparison(.matches)
        case .contains: .comparison(.contains)
        case .beginsWith: .comparison(.beginsWith)
        case .endsWith: .comparison(.endsWith)
        case .between: .comparison(.between)
        case .union: .set(.union)
        case .intersect: .set(.intersect)
        case .minus: .set(.minus)
        case .not, .utiConformsTo, .utiEquals: .misplaced
        default: nil
        }
    }
}
