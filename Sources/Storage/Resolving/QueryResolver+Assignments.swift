import DataModel
package import Predicates

extension QueryResolver {
    /// The expression as a value for an attribute.
    ///
    /// - Returns: nil for an expression that has a value in memory only.
    /// - Throws: `InvalidPredicateError`, also for a value of a kind that the attribute does not take.
    package mutating func assignment(_ node: ExpressionNode, to slot: Int) throws -> RowExpression? {
        try exactly { resolver in
            let (expression, type) = try resolver.value(try resolver.term(node))
            let entity = resolver.entity
            let wanted = RowType(entity.slots[slot].attribute)
            guard type == .null || type == wanted || type.isNumber && wanted.isNumber, type != .opaque else {
                throw InvalidPredicateError(
                    .type, "\(entity.name).\(entity.slots[slot].name) is \(wanted.name) and can't be set to \(type.name)")
            }
            return expression
        }
    }
}
