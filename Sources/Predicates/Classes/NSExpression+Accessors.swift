public import Foundation

extension _PredicatePartMaking where Self: _NSExpression {
    /// The expression's kind.
    public var expressionType: _FoundationNames.ExpressionType {
        switch node {
        case .constant, .symbol, .tooDeep: .constantValue
        case .evaluatedObject: .evaluatedObject
        case .variable: .variable
        case .keyPath: .keyPath
        case .function, .call, .fetch: .function
        case .aggregate: .aggregate
        case .subquery: .subquery
        case .conditional: .conditional
        case .setOperation(.union, _, _): .unionSet
        case .setOperation(.intersect, _, _): .intersectSet
        case .setOperation(.minus, _, _): .minusSet
        case .anyKey: .anyKey
        case .block: .block
        }
    }

    /// The value of a constant. Numbers come as `NSNumber`.
    public var constantValue: Any? {
        switch node {
        case .constant(let value): value.any
        case .symbol(let symbol): symbol.rawValue
        case .tooDeep: nil
        default: misfit("constantValue")
        }
    }

    /// The keys of a key path, with dots between them. What they are seen from is ``operand``.
    public var keyPath: String {
        guard case .keyPath(_, let keys) = node else { misfit("keyPath") }
        return keys.joined(separator: ".")
    }

    /// The name of a function, with its colons.
    public var function: String {
        switch node {
        case .function(let function, _): function.rawValue
        case .call(_, let selector, _): selector
        case .keyPath: "valueForKeyPath:"
        default: misfit("function")
        }
    }

    /// The name of a variable or of a subquery's elements, without the dollar sign.
    public var variable: String {
        switch node {
        case .variable(let name), .subquery(_, let name, _): name
        default: misfit("variable")
        }
    }

    /// The object of the program's own function, or the value from which a key path is seen.
    public var operand: _NSExpression {
        switch node {
        case .call(let target, _, _): _NSExpression(target)
        case .keyPath(let operand, _): _NSExpression(operand)
        default: misfit("operand")
        }
    }

    /// The arguments of a function or closure.
    public var arguments: [_NSExpression]? {
        switch node {
        case .function(_, let arguments), .call(_, _, let arguments): arguments.map { _NSExpression($0) }
        case .block(let block): block.arguments.map { _NSExpression($0) }
        case .keyPath(_, let keys): [_NSExpression(forConstantValue: keys.joined(separator: "."))]
        default: misfit("arguments")
        }
    }

    /// The expressions of an aggregate (an array of `NSExpression`), or a subquery's collection (an `NSExpression`).
    public var collection: Any {
        switch node {
        case .aggregate(let elements): elements.map { _NSExpression($0) }
        case .subquery(let collection, _, _): _NSExpression(collection)
        default: misfit("collection")
        }
    }

    /// The predicate of a subquery or conditional.
    public var predicate: NSPredicate {
        switch node {
        case .subquery(_, _, let predicate), .conditional(let predicate, _, _): predicate.predicate
        default: misfit("predicate")
        }
    }

    /// The first collection of a set expression.
    public var left: _NSExpression {
        guard case .setOperation(_, let left, _) = node else { misfit("left") }
        return _NSExpression(left)
    }

    /// The second collection of a set expression.
    public var right: _NSExpression {
        guard case .setOperation(_, _, let right) = node else { misfit("right") }
        return _NSExpression(right)
    }

    /// A conditional's expression for when its predicate is true.
    public var `true`: _NSExpression {
        guard case .conditional(_, let expression, _) = node else { misfit("true") }
        return _NSExpression(expression)
    }

    /// A conditional's expression for when its predicate is false.
    public var `false`: _NSExpression {
        guard case .conditional(_, _, let expression) = node else { misfit("false") }
        return _NSExpression(expression)
    }

    /// The closure of a block expression.
    public var expressionBlock: (Any?, [Any], NSMutableDictionary?) -> Any {
        guard case .block(let block) = node else { misfit("expressionBlock") }
        return block.block
    }

    private func misfit(_ accessor: String) -> Never {
        fatalError("The expression \(self) is of type \(expressionType) and has no \(accessor)")
    }
}
