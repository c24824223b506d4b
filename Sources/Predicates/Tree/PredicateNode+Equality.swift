import Foundation

/// Predicates are equal if they are built alike; their operands' order counts. Two different closures never are.
extension PredicateNode: Hashable {
    package static func == (left: PredicateNode, right: PredicateNode) -> Bool {
        switch (left, right) {
        case (.constant(let a), .constant(let b)): a == b
        case (.comparison(let a), .comparison(let b)): a == b
        case (.not(let a), .not(let b)): a == b
        case (.and(let a), .and(let b)): a == b
        case (.or(let a), .or(let b)): a == b
        case (.foreign(let a), .foreign(let b)): a === b || a.isEqual(b)
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .constant(let value): hasher.combine(value)
        case .comparison(let value): hasher.combine(value)
        case .not(let value):
            hasher.combine(2)
            hasher.combine(value)
        case .and(let values):
            hasher.combine(3)
            hasher.combine(values)
        case .or(let values):
            hasher.combine(4)
            hasher.combine(values)
        case .foreign(let predicate): hasher.combine(predicate)
        }
    }
}

extension ComparisonNode: Hashable {
    package static func == (left: ComparisonNode, right: ComparisonNode) -> Bool {
        left.comparisonOperator == right.comparisonOperator && left.modifier == right.modifier && left.options == right.options
            && left.left == right.left && left.right == right.right
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(comparisonOperator)
        hasher.combine(modifier)
        hasher.combine(options.rawValue)
        hasher.combine(left)
        hasher.combine(right)
    }
}

extension ExpressionNode: Hashable {
    package static func == (left: ExpressionNode, right: ExpressionNode) -> Bool {
        switch (left, right) {
        case (.constant(let a), .constant(let b)): a == b
        case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey), (.tooDeep, .tooDeep): true
        case (.variable(let a), .variable(let b)): a == b
        case (.keyPath(let a, let first), .keyPath(let b, let second)): first == second && a == b
        case (.function(let a, let first), .function(let b, let second)): a == b && first == second
        case (.call(let a, let name, let first), .call(let b, let other, let second)): name == other && a == b && first == second
        case (.aggregate(let a), .aggregate(let b)): a == b
        case (.subquery(let a, let name, let first), .subquery(let b, let other, let second)):
            name == other && a == b && first == second
        case (.conditional(let p, let a, let b), .conditional(let q, let c, let d)): p == q && a == c && b == d
        case (.setOperation(let a, let left, let right), .setOperation(let b, let left2, let right2)):
            a == b && left == left2 && right == right2
        case (.symbol(let a), .symbol(let b)): a == b
        case (.fetch(let a, let context, let count), .fetch(let b, let context2, let count2)):
            a == b && context == context2 && count == count2
        case (.block(let a), .block(let b)): a === b
        // A collection given as an argument and the same one written out are the same.
        case (.constant, .aggregate), (.aggregate, .constant): left.literalValue.map { $0 == right.literalValue } ?? false
        default: false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .constant(let value): hasher.combine(value)
        case .evaluatedObject: hasher.combine(-1)
        case .variable(let name): hasher.combine(name)
        case .keyPath(let operand, let keys):
            hasher.combine(operand)
            hasher.combine(keys)
        case .function(let function, let arguments):
            hasher.combine(function)
            hasher.combine(arguments)
        case .call(let target, let selector, let arguments):
            hasher.combine(target)
            hasher.combine(selector)
            hasher.combine(arguments)
        case .aggregate(let elements):
            if let value = literalValue { hasher.combine(value) } else { hasher.combine(elements) }
        case .subquery(let collection, let variable, let predicate):
            hasher.combine(collection)
            hasher.combine(variable)
            hasher.combine(predicate)
        case .conditional(let predicate, let yes, let no):
            hasher.combine(predicate)
            hasher.combine(yes)
            hasher.combine(no)
        case .setOperation(let operation, let left, let right):
            hasher.combine(operation)
            hasher.combine(left)
            hasher.combine(right)
        case .symbol(let symbol): hasher.combine(symbol)
        case .fetch(let request, let context, let countOnly):
            hasher.combine(request)
            hasher.combine(context)
            hasher.combine(countOnly)
        case .anyKey: hasher.combine(-2)
        case .tooDeep: hasher.combine(-3)
        case .block(let block): hasher.combine(ObjectIdentifier(block))
        }
    }
}
