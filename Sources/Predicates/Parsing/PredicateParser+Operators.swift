/// What the operators before and between values make. None of these functions is on the stack twice for one level of nesting.
import Foundation

extension PredicateParser {
    mutating func negation(_ minimum: Precedence) throws -> Item {
        let start = token.range.lowerBound
        guard minimum <= .not else { throw misplacedNot("NOT can't be inside a comparison") }
        try advance()
        let operand = try parse(.not)
        return try item(.not(try predicate(operand)), start, operand.height + 1)
    }

    private func misplacedNot(_ message: String) -> Failure {
        Failure(message: message, offset: token.range.lowerBound, suggestion: "Write NOT before the comparison: NOT a IN b")
    }

    mutating func quantified(_ keyword: PredicateKeyword, _ minimum: Precedence) throws -> Item {
        let start = token.range.lowerBound
        guard minimum <= .comparison else {
            throw Failure(
                message: "\(keyword.rawValue) can't be inside an expression", offset: start,
                suggestion: "If \"\(tokenText)\" is a key write #\(tokenText)")
        }
        try advance()
        let left = try parse(.set)
        guard case .comparison(let comparisonOperator)? = token.infix else {
            throw unexpected("a comparison must follow \(keyword.rawValue)")
        }
        let result = try comparison(left, comparisonOperator, keyword == .all ? .all : .any, from: start)
        guard keyword == .none else { return result }
        return try item(.not(try predicate(result)), start, result.height + 1)
    }

    mutating func negative() throws -> Item {
        let start = token.range.lowerBound
        try advance()
        guard case .number(let number) = token.kind else {
            let operand = try parse(.prefix)
            return try item(.function(.negate, [try expression(operand)]), start, operand.height + 1)
        }
        // A sign right before a number belongs to it, except that the power binds more tightly.
        let operand = try parse(.power)
        let node = try expression(operand)
        if case .constant(let value) = node, value == number, let negative = number.negated {
            return try item(.constant(negative), start)
        }
        return try item(.function(.negate, [node]), start, operand.height + 1)
    }

    mutating func complement() throws -> Item {
        let start = token.range.lowerBound
        try advance()
        let operand = try parse(.prefix)
        return try item(.function(.onesComplement, [try expression(operand)]), start, operand.height + 1)
    }

    mutating func arithmetic(_ left: Item, _ function: PredicateFunction) throws -> Item {
        try advance()
        let right = try parse(function.precedence == .power ? .prefix : function.precedence.next)
        return try item(
            .function(function, [try expression(left), try expression(right)]), left.start, max(left.height, right.height) + 1)
    }

    mutating func setOperation(_ left: Item, _ operation: ExpressionNode.SetOperation) throws -> Item {
        try advance()
        let right = try parse(Precedence.set.next)
        return try item(
            .setOperation(operation, try expression(left), try expression(right)), left.start, max(left.height, right.height) + 1)
    }

    /// Reads `AND b AND c…` or `OR b OR c…` into one list.
    mutating func chain(_ left: Item, _ precedence: Precedence) throws -> Item {
        var operands = [try predicate(left)]
        var height = left.height
        let infix = precedence == .and ? PredicateToken.Infix.and : .or
        while token.infix == infix {
            try advance()
            let operand = try parse(precedence.next)
            operands.append(try predicate(operand))
            height = max(height, operand.height)
        }
        return try item(precedence == .and ? .and(operands) : .or(operands), left.start, height + 1)
    }

    /// Explains operators that can't follow a value.
    func refuseMisplaced(_ left: Item) throws {
        switch token.kind {
        case .word(_, .not):
            guard case .expression = left.content else { return }
            throw misplacedNot("NOT can't stand between a value and an operator")
        case .word(let word, _):
            throw Failure(
                message: "\(word) needs Apple's type identifiers, which don't exist here", offset: token.range.lowerBound,
                kind: .unsupported)
        default:
            throw Failure(
                message: "assignments have no meaning in a predicate", offset: token.range.lowerBound, kind: .unsupported)
        }
    }
}

extension PredicateValue {
    /// The number with the other sign; nil if there is none.
    var negated: PredicateValue? {
        switch self {
        case .integer(let value): .integer(-value)  // A literal is never negative, so never Int64.min.
        case .unsigned(let value): value == 1 << 63 ? .integer(.min) : .double(-Double(value))
        case .double(let value): .double(-value)
        case .decimal(let value): .decimal(-value)
        default: nil
        }
    }
}
