extension PredicateNode {
    /// The key paths that start at the evaluated object, each as its keys; also those inside subqueries.
    package var keyPaths: [[String]] {
        switch self {
        case .constant, .foreign: []
        case .comparison(let comparison): comparison.left.keyPaths + comparison.right.keyPaths
        case .not(let operand): operand.keyPaths
        case .and(let operands), .or(let operands): operands.flatMap(\.keyPaths)
        }
    }
}

extension ExpressionNode {
    /// The key paths that start at the evaluated object, each as its keys; also those inside subqueries.
    fileprivate var keyPaths: [[String]] {
        switch self {
        case .constant, .evaluatedObject, .variable, .symbol, .anyKey, .tooDeep: []
        case .keyPath(.evaluatedObject, let keys): [keys]
        case .keyPath(let operand, _): operand.keyPaths
        case .function(_, let arguments), .aggregate(let arguments): arguments.flatMap(\.keyPaths)
        case .call(let target, _, let arguments): target.keyPaths + arguments.flatMap(\.keyPaths)
        case .subquery(let collection, _, let predicate): collection.keyPaths + predicate.keyPaths
        case .conditional(let test, let yes, let no): test.keyPaths + yes.keyPaths + no.keyPaths
        case .setOperation(_, let left, let right): left.keyPaths + right.keyPaths
        case .fetch(let request, let context, _): request.keyPaths + context.keyPaths
        case .block(let block): block.arguments.flatMap(\.keyPaths)
        }
    }
}
