/// Puts values in place of variables.
struct Substitution {
    let values: [String: ExpressionNode]
    /// The names that subqueries around the current place give to their elements.
    private var local: Set<String> = []

    init(values: [String: ExpressionNode]) { self.values = values }

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
        case .constant, .evaluatedObject, .symbol, .anyKey: return node
        case .variable(let name):
            if local.contains(name) { return node }
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
            return .fetch(request: try expression(request), context: try expression(context), countOnly: countOnly)
        case .block(let block):
            return .block(BlockExpression(block: block.block, arguments: try block.arguments.map(expression)))
        }
    }
}
