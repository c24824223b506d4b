import Foundation

// Logic, comparisons, optionals and conditions.

extension PredicateExpressions.Variable: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard let node = state.value(of: key) else { throw state.unsupported(self) }
        return .expression(node)
    }
}

extension PredicateExpressions.Value: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard let value = ConversionState.storable(value) else {
            throw InvalidPredicateError(
                .unsupported, "A value of type \(Output.self) can't be compared with stored values",
                suggestion: "Capture the property that is stored, for example: let name = person.name")
        }
        return .expression(.constant(value))
    }
}

extension PredicateExpressions.NilLiteral: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result { .expression(.constant(.null)) }
}

extension PredicateExpressions.Conjunction: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        .predicate(.and([try state.predicate(lhs), try state.predicate(rhs)]))
    }
}

extension PredicateExpressions.Disjunction: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        .predicate(.or([try state.predicate(lhs), try state.predicate(rhs)]))
    }
}

extension PredicateExpressions.Negation: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        .predicate(.not(try state.predicate(wrapped)))
    }
}

extension ConversionState {
    mutating func compare(
        _ left: some PredicateExpression, _ comparisonOperator: _NSComparisonPredicate.Operator,
        _ right: some PredicateExpression,
        _ options: _NSComparisonPredicate.Options = []
    ) throws -> Result {
        let leftNode = try expression(left)
        return .predicate(.comparison(ComparisonNode(leftNode, comparisonOperator, try expression(right), options: options)))
    }

    static func isNotNil(_ node: ExpressionNode) -> PredicateNode {
        .comparison(ComparisonNode(node, .notEqualTo, .constant(.null)))
    }
}

extension PredicateExpressions.Equal: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result { try state.compare(lhs, .equalTo, rhs) }
}

extension PredicateExpressions.NotEqual: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result { try state.compare(lhs, .notEqualTo, rhs) }
}

extension PredicateExpressions.Comparison: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let comparisonOperator: _NSComparisonPredicate.Operator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqualTo
            @unknown default: throw state.unsupported(self)
            }
        return try state.compare(lhs, comparisonOperator, rhs)
    }
}

extension PredicateExpressions.NilCoalesce: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let node = try state.expression(lhs)
        return .expression(.conditional(ConversionState.isNotNil(node), node, try state.expression(rhs)))
    }
}

extension PredicateExpressions.OptionalFlatMap: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let node = try state.expression(wrapped)
        state.bind(variable.key, to: node)
        return .expression(.conditional(ConversionState.isNotNil(node), try state.expression(transform), .constant(.null)))
    }
}

extension PredicateExpressions.ForcedUnwrap: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result { try state.convert(inner) }
}

extension PredicateExpressions.Conditional: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        let test = try state.predicate(test)
        let branch = try state.expression(trueBranch)
        return .expression(.conditional(test, branch, try state.expression(falseBranch)))
    }
}

extension PredicateExpressions.ExpressionEvaluate: ConvertibleExpression {
    func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
        guard let inner = expression as? PredicateExpressions.Value<Expression<repeat (each Input).Output, Output>> else {
            throw state.unsupported(self, "An expression evaluated in a predicate must be a captured constant")
        }
        repeat try state.bind((each inner.value.variable), to: (each input))
        return try state.convert(inner.value.expression)
    }
}

extension ConversionState {
    fileprivate mutating func bind<T>(_ variable: PredicateExpressions.Variable<T>, to input: some PredicateExpression<T>) throws
    {
        bind(variable.key, to: try expression(input))
    }
}
