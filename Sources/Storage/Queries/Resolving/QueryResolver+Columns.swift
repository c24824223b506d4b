import DataModel
import Predicates

/// Columns of results that are no objects.
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
        do {
            let term = try term(node)
            if case .object(let path) = term {
                return Column(expressions: [.key(path), .entity(path)], isObject: true, isText: false, type: .objectID)
            }
            let (expression, type) = try value(term)
            switch type {
            case .opaque, .key, .entity: return nil
            default: return Column(expressions: [expression], isObject: false, isText: type == .text, type: type.shownType)
            }
        } catch is Inexpressible {
            return nil
        }
    }

    /// One value of all rows of a group.
    mutating func rowsAggregate(_ function: PredicateFunction, of term: Term) throws -> Term {
        if function == .count {
            if case .object(let path) = term { return .value(.rows(.count, .key(path)), .integer) }
            return .value(.rows(.count, try value(term).0), .integer)
        }
        let (value, type) = try value(term)
        guard type != .opaque, type != .mixed else { throw Inexpressible() }
        switch function {
        case .min, .max:
            guard type.isOrdered else { throw needsNumber(function.rawValue, type) }
            return .value(.rows(function == .min ? .minimum : .maximum, value), type)
        case .sum, .average:
            guard type.isNumber else { throw needsNumber(function.rawValue, type) }
            let isSum = function == .sum
            if type == .decimal { return .value(.rows(isSum ? .decimalSum : .decimalAverage, value), .decimal) }
            guard isSum else { return .value(.rows(.average, value), .real) }
            return .value(.rows(isSmall(value) ? .sum : .largeSum, value), .number)
        default: throw Inexpressible()
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
