package import Foundation

/// An expression as a tree.
package indirect enum ExpressionNode {
    case constant(PredicateValue)
    /// SELF.
    case evaluatedObject
    /// `$name`.
    case variable(String)
    /// The keys, in order, seen from the value of an expression. A key that starts with `@` is a collection operator. The operand
    /// is never itself a key path: `keyPath(_:of:)` joins them.
    case keyPath(ExpressionNode, [String])
    /// One of the predefined functions with as many arguments as it takes.
    case function(PredicateFunction, [ExpressionNode])
    /// `FUNCTION(target, "selector:", arguments…)`.
    case call(ExpressionNode, selector: String, [ExpressionNode])
    /// `{a, b}`. See also `literalElements`.
    case aggregate([ExpressionNode])
    /// The elements of a collection for which a predicate, in which they are called `$variable`, is true.
    case subquery(ExpressionNode, variable: String, PredicateNode)
    /// `TERNARY(predicate, a, b)`.
    case conditional(PredicateNode, ExpressionNode, ExpressionNode)
    case setOperation(SetOperation, ExpressionNode, ExpressionNode)
    /// FIRST, LAST or SIZE in brackets: the second argument of `PredicateFunction.elementAtIndex`.
    case symbol(IndexSymbol)
    /// `FETCH(request, context, countOnly)`.
    case fetch(request: ExpressionNode, context: ExpressionNode, countOnly: Bool)
    /// ANYKEY: meant for Spotlight, has no value.
    case anyKey
    /// A closure. It evaluates in memory only.
    case block(BlockExpression)
    /// Stands in place of what was nested beyond `TreeDepth.greatest`. An expression that contains it can't be evaluated.
    case tooDeep

    package enum SetOperation: String, Sendable {
        case union = "UNION"
        case intersect = "INTERSECT"
        case minus = "MINUS"
    }

    package enum IndexSymbol: String, Sendable {
        case first = "FIRST"
        case last = "LAST"
        case size = "SIZE"
    }
}

/// The closure of a block expression.
package final class BlockExpression {
    package typealias Block = (Any?, [Any], NSMutableDictionary?) -> Any

    let block: Block
    let arguments: [ExpressionNode]

    init(block: @escaping Block, arguments: [ExpressionNode]) {
        self.block = block
        self.arguments = arguments
    }
}

extension ExpressionNode {
    /// A key path from an expression. Key paths of key paths become one; a first `self` disappears.
    package static func keyPath(_ keys: some Sequence<String>, of operand: ExpressionNode) -> ExpressionNode {
        var keys = Array(keys)
        var operand = operand
        if case .keyPath(let inner, let first) = operand {
            keys = first + keys
            operand = inner
        }
        while keys.first == "self" { keys.removeFirst() }
        return keys.isEmpty ? operand : .keyPath(operand, keys)
    }

    /// A key path from the evaluated object, as users write it: keys with dots between them.
    package static func keyPath(_ path: String) -> ExpressionNode {
        keyPath(path.split(separator: ".", omittingEmptySubsequences: false).map(String.init), of: .evaluatedObject)
    }

    /// The values of a collection known beforehand, whether it came as an argument or was written as `{a, b}`; nil for anything
    /// else.
    package var literalElements: [PredicateValue]? {
        switch self {
        case .constant(.collection(let collection)): return collection.elements
        case .aggregate(let elements):
            var values: [PredicateValue] = []
            for element in elements {
                guard let value = element.literalValue else { return nil }
                values.append(value)
            }
            return values
        default: return nil
        }
    }

    /// The value of an expression known beforehand.
    package var literalValue: PredicateValue? {
        switch self {
        case .constant(let value): value
        case .aggregate: literalElements.map(PredicateValue.array)
        default: nil
        }
    }
}
