package import DataModel
package import Predicates

/// Columns of results that are not objects.
extension QueryResolver {
    /// What a store computes for a column.
    package struct Column {
        /// One value; of an object two: its key and its entity.
        package let expressions: [RowExpression]
        package let isObject: Bool
        package let isText: Bool
        /// The type of the values as far as it matters for what they are shown as; else undefined.
        package let type: NSAttributeDescription.AttributeType
    }

    /// The column for an expression.
    ///
    /// - Returns: nil for an expression that has a value in memory only.
    /// - Throws: `InvalidPredicateError`
    package mutating func column(_ node: ExpressionNode) throws -> Column? {
        try exactly { resolver in
            let term = try resolver.term(node)
            switch term {
            case .object(let path):
                return Column(expressions: [.key(path), .entity(path)], isObject: true, isText: false, type: .objectID)
            case .elements, .literal(.collection): return nil
            default: break
            }
            let (expression, type) = try resolver.value(term)
            switch type {
            case .opaque, .key, .entity: return nil
            default: return Column(expressions: [expression], isObject: false, isText: type == .text, type: type.shownType)
            }
        }
    }

    /// One value of all rows of a group, or of the different values in them: `count:(@distinctUnionOfObjects.name)`.
    mutating func rowsAggregate(_ function: PredicateFunction, of argument: ExpressionNode) throws -> Term {
        let different = argument.distinctRowValues
        let term = try term(different ?? argument)
        func rows(_ aggregate: RowAggregate, _ value: RowExpression, _ type: RowType) -> Term {
            .value(.rows(aggregate, value, isDistinct: different != nil), type)
        }
        if function == .count {
            if case .object(let path) = term { return rows(.count, .key(path), .integer) }
            return rows(.count, try value(term).0, .integer)
        }
        let (value, type) = try value(term)
        // A column of nil alone has no value.
        if type == .null { return rows(.minimum, value, .null) }
        guard type != .opaque, type != .mixed else { throw Inexpressible() }
        switch function {
        case .min, .max:
            guard type.isOrdered else { throw needsNumber(function.rawValue, type) }
            return rows(function == .min ? .minimum : .maximum, value, type)
        case .sum, .average:
            guard type.isNumber else { throw needsNumber(function.rawValue, type) }
            let isSum = function == .sum
            if type == .decimal { return rows(isSum ? .decimalSum : .decimalAverage, value, .decimal) }
            guard isSum else { return rows(.average, value, .real) }
            return rows(isSmall(value) ? .sum : .largeSum, value, .number)
        default: throw Inexpressible()
        }
    }
}

extension ExpressionNode {
    /// What `@distinctUnionOfObjects.name`, seen from the rows of a group, asks each of them; nil for any other expression.
    package var distinctRowValues: ExpressionNode? {
        guard case .keyPath(.evaluatedObject, let keys) = self, keys.count > 1,
            keys[0] == CollectionOperator.distinctUnionOfObjects.rawValue
        else { return nil }
        return .keyPath(keys.dropFirst(), of: .evaluatedObject)
    }
}

extension ExpressionNode {
    /// Whether nothing but constants is in a function of all rows: its value depends on the rows nevertheless, as there may be
    /// none.
    package var hasRowFunctionOfConstants: Bool {
        switch self {
        case .function(let function, let arguments):
            function.isAggregate && arguments.count == 1 && !arguments[0].isCollection
                || arguments.contains(where: \.hasRowFunctionOfConstants)
        case .aggregate(let elements): elements.contains(where: \.hasRowFunctionOfConstants)
        case .conditional(let test, let yes, let no):
            test.hasRowFunctionOfConstants || yes.hasRowFunctionOfConstants || no.hasRowFunctionOfConstants
        default: false
        }
    }

    /// Whether functions of many values take those of the expression, and not one of each row.
    package var isCollection: Bool {
        switch self {
        case .subquery, .aggregate, .setOperation, .constant(.collection): true
        default: false
        }
    }
}

extension PredicateNode {
    fileprivate var hasRowFunctionOfConstants: Bool {
        switch self {
        case .constant, .foreign: false
        case .not(let operand): operand.hasRowFunctionOfConstants
        case .and(let operands), .or(let operands): operands.contains(where: \.hasRowFunctionOfConstants)
        case .comparison(let comparison):
            comparison.left.hasRowFunctionOfConstants || comparison.right.hasRowFunctionOfConstants
        }
    }
}

extension RowType {
    fileprivate var shownType: NSAttributeDescription.AttributeType {
        switch self {
        case .date: .date
        case .decimal: .decimal
        case .url: .uri
        case .uuid: .uuid
        default: .undefined
        }
    }
}
