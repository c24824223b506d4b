/// Puts values in place of variables, or of FETCH expressions.
struct Substitution {
    typealias Fetch = (_ request: ExpressionNode, _ context: ExpressionNode, _ countOnly: Bool) throws -> ExpressionNode?

    /// Nil to leave variables alone.
    let values: [String: ExpressionNode]?
    /// What stands in place of a FETCH expression; nil to leave it alone.
    let fetch: Fetch
    /// The names that subqueries around the current place give to their elements.
    private var local: Set<String> = []

    init(values: [String: ExpressionNode]?, fetch: @escaping Fetch = { _, _, _ in nil }) {
        self.values = values
        self.fetch = fetch
    }

    func predicate(_ node: PredicateNode) throws -> PredicateNode {
        switch node {
        case .constant, .foreign: return node
        case .not(let operand): return .not(try predicate(operand))
        case .and(let operands): return .and(try operands.map(predicate))
        case .or(let operands): return .or(try operands.map(predicate))
        case .comparison(var comparison):
            comparison.left = try expression(comparison.left)
            comparison.right = try expression(comparison.right)
            return .comparison(comparison)
        }
    }

    func expression(_ node: ExpressionNode) throws -> ExpressionNode {
        switch node {
        case .constant, .evaluatedObject, .symbol, .anyKey, .tooDeep: return node
        case .variable(let name):
            guard let values, !local.contains(name) else { return node }
            guard let value = values[name] else { throw InvalidPredicateError.missingVariable(name, among: values.keys) }
            return value
        case .keyPath(let operand, let keys): return .keyPath(keys, of: try expression(operand))
        case .function(let function, let arguments): return .function(function, try arguments.map(expression))
        case .call(let target, let selector, let arguments):
            return .call(try expression(target), selector: selector, try arguments.map(expression))
        case .aggregate(let elements): return .aggregate(try elements.map(expression))
        case .subquery(let collection, let variable, let predicate):
            var inner = self
            inner.local.insert(variable)
            return .subquery(try expression(collection), variable: variable, try inner.predicate(predicate))
        case .conditional(let test, let yes, let no):
            return .conditional(try predicate(test), try expression(yes), try expression(no))
        case .setOperation(let operation, let left, let right):
            return .setOperation(operation, try expression(left), try expression(right))
        case .fetch(let request, let context, let countOnly):
            let (request, context) = (try expression(request), try expression(context))
            return try fetch(request, context, countOnly) ?? .fetch(request: request, context: context, countOnly: countOnly)
        case .block(let block):
            return .block(BlockExpression(block: block.block, arguments: try block.arguments.map(expression)))
        }
    }
}

extension PredicateNode {
    /// The predicate with constants in place of FETCH expressions.
    ///
    /// - Parameter fetch: The value for a request and a context; called for those that are known beforehand.
    package func replacingFetches(
        _ fetch: @escaping (_ request: Any?, _ context: Any?, _ countOnly: Bool) throws -> Any?
    ) throws -> PredicateNode {
        let substitution = Substitution(values: nil) { request, context, countOnly in
            guard let request = request.literalValue, let context = context.literalValue else { return nil }
            return .constant(PredicateValue(try fetch(request.any, context.any, countOnly)))
        }
        return try substitution.predicate(self)
    }
}
