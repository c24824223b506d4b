/// A function of one or two plain values by itself, without a tree around it: a store calls it for what it can't compute in its
/// own way.
package struct ScalarFunction {
    private let unary: ((PredicateValue) throws -> PredicateValue)?
    private let binary: ((PredicateValue, PredicateValue) throws -> PredicateValue)?

    /// - Throws: `InvalidPredicateError` for a function of collections, or one whose value is not decided by its arguments.
    package init(_ function: PredicateFunction) throws {
        if function.argumentCount == 2 {
            binary = try PredicateCompiler.binary(function)
            unary = nil
        } else {
            unary = try PredicateCompiler.unary(function)
            binary = nil
        }
    }

    package func callAsFunction(_ argument: PredicateValue) throws -> PredicateValue { try unary?(argument) ?? .null }

    package func callAsFunction(_ first: PredicateValue, _ second: PredicateValue) throws -> PredicateValue {
        try binary?(first, second) ?? .null
    }
}

extension ExpressionNode {
    /// The value of an expression that depends on nothing but constants.
    package func constantValue() throws -> PredicateValue {
        let evaluation = try PredicateCompiler().evaluation(self)
        var scope = EvaluationScope(nil, nil, keepsOriginal: false)
        return try evaluation(&scope)
    }

    /// Whether the expression depends on nothing but constants and the time.
    package var isConstant: Bool {
        switch self {
        case .constant: true
        case .evaluatedObject, .variable, .symbol, .anyKey, .block, .fetch, .call, .subquery, .tooDeep: false
        case .keyPath(let operand, _): operand.isConstant
        case .function(.random, _), .function(.randomBelow, _): false
        case .function(.elementAtIndex, let arguments): arguments[0].isConstant
        case .function(_, let arguments): arguments.allSatisfy(\.isConstant)
        case .aggregate(let elements): elements.allSatisfy(\.isConstant)
        case .conditional(let test, let yes, let no): test.isConstant && yes.isConstant && no.isConstant
        case .setOperation(_, let left, let right): left.isConstant && right.isConstant
        }
    }
}

extension PredicateNode {
    fileprivate var isConstant: Bool {
        switch self {
        case .constant: true
        case .foreign: false
        case .comparison(let comparison): comparison.left.isConstant && comparison.right.isConstant
        case .not(let operand): operand.isConstant
        case .and(let operands), .or(let operands): operands.allSatisfy(\.isConstant)
        }
    }
}
