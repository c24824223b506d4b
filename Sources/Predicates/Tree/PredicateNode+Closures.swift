extension PredicateNode {
    /// Whether there is a part that can't be looked into, so that the predicate works in memory only.
    package var hasClosures: Bool { contains(foreign: true) { if case .block = $0 { true } else { false } } }

    /// Whether there is a FETCH expression.
    package var hasFetches: Bool { contains(foreign: false) { if case .fetch = $0 { true } else { false } } }

    /// - Parameter foreign: the answer for a predicate that can't be looked into.
    fileprivate func contains(foreign: Bool, _ test: (ExpressionNode) -> Bool) -> Bool {
        switch self {
        case .constant: false
        case .comparison(let comparison):
            comparison.left.contains(foreign: foreign, test) || comparison.right.contains(foreign: foreign, test)
        case .not(let operand): operand.contains(foreign: foreign, test)
        case .and(let operands), .or(let operands): operands.contains { $0.contains(foreign: foreign, test) }
        case .foreign: foreign
        }
    }
}

extension ExpressionNode {
    fileprivate func contains(foreign: Bool, _ test: (ExpressionNode) -> Bool) -> Bool {
        func has(_ part: ExpressionNode) -> Bool { part.contains(foreign: foreign, test) }
        func has(_ predicate: PredicateNode) -> Bool { predicate.contains(foreign: foreign, test) }
        if test(self) { return true }
        return switch self {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey, .tooDeep: false
        case .block(let block): block.arguments.contains(where: has)
        case .keyPath(let operand, _): has(operand)
        case .function(_, let arguments): arguments.contains(where: has)
        case .call(let target, _, let arguments): has(target) || arguments.contains(where: has)
        case .aggregate(let elements): elements.contains(where: has)
        case .subquery(let collection, _, let predicate): has(collection) || has(predicate)
        case .conditional(let test, let yes, let no): has(test) || has(yes) || has(no)
        case .setOperation(_, let left, let right): has(left) || has(right)
        case .fetch(let request, let context, _): has(request) || has(context)
        }
    }
}
