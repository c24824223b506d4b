extension PredicateNode {
    /// Whether there is a part that can't be looked into, so that the predicate works in memory only.
    package var hasClosures: Bool {
        switch self {
        case .constant: false
        case .comparison(let comparison): comparison.left.hasClosures || comparison.right.hasClosures
        case .not(let operand): operand.hasClosures
        case .and(let operands), .or(let operands): operands.contains(where: \.hasClosures)
        case .foreign: true
        }
    }
}

extension ExpressionNode {
    /// Whether there is a part that can't be looked into, so that the expression works in memory only.
    package var hasClosures: Bool {
        switch self {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey: false
        case .block: true
        case .keyPath(let operand, _): operand.hasClosures
        case .function(_, let arguments): arguments.contains(where: \.hasClosures)
        case .call(let target, _, let arguments): target.hasClosures || arguments.contains(where: \.hasClosures)
        case .aggregate(let elements): elements.contains(where: \.hasClosures)
        case .subquery(let collection, _, let predicate): collection.hasClosures || predicate.hasClosures
        case .conditional(let test, let yes, let no): test.hasClosures || yes.hasClosures || no.hasClosures
        case .setOperation(_, let left, let right): left.hasClosures || right.hasClosures
        case .fetch(let request, let context, _): request.hasClosures || context.hasClosures
        }
    }
}
