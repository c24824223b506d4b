import Foundation

extension PredicateParser {
    /// Reads an operator of comparison, which is the current token, its options and the right side.
    mutating func comparison(
        _ left: Item, _ comparisonOperator: _NSComparisonPredicate.Operator, _ modifier: _NSComparisonPredicate.Modifier,
        from start: Int
    ) throws -> Item {
        let options = try comparisonOptions()
        let right = try parse(.set)
        return try comparison(left, comparisonOperator, right, modifier, options, from: start)
    }

    private mutating func comparisonOptions() throws -> _NSComparisonPredicate.Options {
        let operatorText = tokenText
        try advance()
        let options = try options(of: operatorText)
        if case .end = token.kind { throw unexpected("a value is missing after \"\(operatorText)\"") }
        return options
    }

    private func comparison(
        _ left: Item, _ comparisonOperator: _NSComparisonPredicate.Operator, _ right: Item,
        _ modifier: _NSComparisonPredicate.Modifier,
        _ options: _NSComparisonPredicate.Options, from start: Int
    ) throws -> Item {
        let leftNode = try expression(left)
        let rightNode = try expression(right)
        try check(comparisonOperator, options, rightNode, at: right.start)
        if case .comparison? = token.infix {
            throw Failure(
                message: "comparisons can't be chained", offset: token.range.lowerBound, suggestion: "Join them by AND.")
        }
        let node = ComparisonNode(leftNode, comparisonOperator, rightNode, modifier: modifier, options: options)
        return try item(.comparison(node), start, max(left.height, right.height) + 1)
    }

    /// Reads letters in brackets. An expression never begins with a bracket, so their meaning is clear.
    private mutating func options(of operatorText: String) throws -> _NSComparisonPredicate.Options {
        guard case .symbol(.openBracket) = token.kind else { return [] }
        try advance()
        var options: _NSComparisonPredicate.Options = []
        guard case .word(let letters, _) = token.kind else {
            throw unexpected("the options of \"\(operatorText)\" are missing: c, d, n, l or several of these")
        }
        for (offset, letter) in letters.enumerated() {
            switch letter {
            case "c", "C": options.insert(.caseInsensitive)
            case "d", "D": options.insert(.diacriticInsensitive)
            case "n", "N": options.insert(.normalized)
            case "l", "L": options.insert(.localeSensitive)
            default:
                throw Failure(
                    message: "\"\(letter)\" is not an option of a comparison: the options are c, d, n and l",
                    offset: token.range.lowerBound + letters.prefix(offset).utf8.count)
            }
        }
        try advance()
        try expect(.closeBracket, "after the options")
        return options
    }

    /// Finds mistakes in a right side that is known already.
    private func check(
        _ comparisonOperator: _NSComparisonPredicate.Operator, _ options: _NSComparisonPredicate.Options, _ right: ExpressionNode,
        at offset: Int
    ) throws {
        switch comparisonOperator {
        case .between:
            let count: Int? =
                switch right {
                case .aggregate(let elements): elements.count
                case .constant(.collection(let collection)): collection.elements.count
                case .constant: 0
                default: nil
                }
            guard let count, count != 2 else { return }
            throw Failure(
                message: "BETWEEN needs a lower and an upper value", offset: offset, suggestion: "Write BETWEEN {1, 10}")
        case .matches:
            guard case .constant(.string(let pattern)) = right else { return }
            do {
                _ = try TextMatcher(.matches, pattern, options)
            } catch let error as InvalidPredicateError {
                throw Failure(message: error.message, offset: offset, suggestion: error.suggestion, kind: error.kind)
            }
        default: return
        }
    }
}
