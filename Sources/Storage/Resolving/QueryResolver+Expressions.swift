import DataModel
import Foundation
import Predicates

/// Expressions.
extension QueryResolver {
    /// The same, or nil for what has a meaning in memory only. Mistakes in the other parts are found nevertheless.
    mutating func attempt(_ node: ExpressionNode) throws -> Term? {
        do { return try term(node) } catch is Inexpressible { return nil }
    }

    mutating func terms(_ nodes: [ExpressionNode]) throws -> [Term] {
        var result: [Term] = []
        for node in nodes { if let term = try attempt(node) { result.append(term) } }
        guard result.count == nodes.count else { throw Inexpressible() }
        return result
    }

    mutating func term(_ node: ExpressionNode) throws -> Term {
        if let literal = node.literalValue { return .literal(literal) }
        if node.isConstant, !(computesRows && node.hasRowFunctionOfConstants) { return .literal(try node.constantValue()) }
        switch node {
        case .constant(let value): return .literal(value)
        case .evaluatedObject: return .object(RowPath(scope: 0, entity: entity.index))
        case .variable(let name):
            guard let variable = variables.last(where: { $0.name == name }) else {
                throw InvalidPredicateError.missingVariable(name, among: variables.map(\.name))
            }
            return variable.element
        case .keyPath(let operand, let keys): return try walk(try term(operand), keys[...])
        case .function(let function, let arguments): return try self.function(function, arguments)
        case .aggregate(let elements): return .elements(try terms(elements))
        case .subquery(let collection, let variable, let predicate): return try subquery(collection, variable, predicate)
        case .conditional(let test, let yes, let no): return try conditional(test, yes, no)
        case .setOperation(_, let left, let right):
            _ = try terms([left, right])
            throw Inexpressible()
        case .call(let target, _, let arguments):
            _ = try terms([target] + arguments)
            throw Inexpressible()
        case .block, .fetch: throw Inexpressible()
        case .symbol(let symbol):
            throw InvalidPredicateError(
                .unsupported, "\(symbol.rawValue) has a meaning only as an index: collection[\(symbol.rawValue)]")
        case .anyKey: throw InvalidPredicateError(.unsupported, "ANYKEY is for Spotlight and has no value here")
        // Evaluation in memory says so.
        case .tooDeep: throw Inexpressible()
        }
    }

    private mutating func subquery(_ collection: ExpressionNode, _ variable: String, _ predicate: PredicateNode) throws -> Term {
        let source = try term(collection)
        guard case .members(var members) = source else {
            switch source {
            case .literal(.collection), .literal(.null), .elements: throw Inexpressible()
            default: throw InvalidPredicateError(.type, "SUBQUERY needs a to-many relationship, not \(describe(source))")
            }
        }
        variables.append((variable, members.element))
        defer { variables.removeLast() }
        let filter = try condition(predicate)
        guard members.steps.count == 1 else { throw Inexpressible() }
        members.steps[0].filter = .all([members.steps[0].filter, filter].compactMap(\.self))
        return .members(members)
    }

    private mutating func conditional(_ test: PredicateNode, _ yes: ExpressionNode, _ no: ExpressionNode) throws -> Term {
        let condition = try condition(test)
        let branches = try terms([yes, no])
        let (first, firstType) = try value(branches[0])
        let (second, secondType) = try value(branches[1])
        guard let type = RowType.either(firstType, secondType) else { throw Inexpressible() }
        return .value(.conditional(condition, first, second), type)
    }

    // MARK: Values

    /// A term as one value.
    ///
    /// - Parameter other: What it is compared with: tells what an object stands for.
    mutating func value(_ term: Term, comparedWith other: RowType? = nil) throws -> (RowExpression, RowType) {
        switch term {
        case .value(let expression, let type): return (expression, type)
        case .object(let path): return (.key(path), .key(root: root(path)))
        case .literal(let literal):
            let (value, type) = try self.literal(literal, comparedWith: other)
            return (value.map { constant($0) } ?? .null, type)
        case .members: throw toMany(describe(term))
        case .composite: throw Inexpressible()
        case .elements:
            throw InvalidPredicateError(
                .type, "A collection can't be used here: use IN, ANY or ALL, or a collection operator such as @count")
        }
    }

    func literal(_ literal: PredicateValue, comparedWith other: RowType?) throws -> (RowValue?, RowType) {
        switch literal {
        case .null: return (nil, .null)
        case .integer(let value): return (.integer(value), .integer)
        case .unsigned: throw Inexpressible()
        case .double(let value): return (value.isNaN ? nil : .real(value), .real)
        case .decimal(let value):
            // A store would compare with another number.
            guard value.asStored == value else { throw Inexpressible() }
            return (.real(value.nearestDouble), .decimal)
        case .string(let text): return (.text(text), .text)
        case .date(let date): return (literal.isNaN ? nil : .real(date.timeIntervalSinceReferenceDate), .date)
        case .data(let data): return (.bytes(data), .data)
        case .uuid(let uuid): return (.bytes(withUnsafeBytes(of: uuid.uuid) { Data($0) }), .uuid)
        case .url(let url): return (.text(url.absoluteString), .url)
        case .object(let object):
            if let identity = environment.identity(object) {
                // No row has the key 0, so it equals nothing.
                if case .key(let root)? = other, root != identity.root { return (.integer(0), .key(root: root)) }
                return (.integer(identity.key), .key(root: identity.root))
            }
            if let index = environment.entityIndex(object) { return (.entity(index), .entity) }
            throw InvalidPredicateError(.type, "\(literal.typeName) is not a value that a store can have")
        case .collection, .other:
            if other == .opaque { throw Inexpressible() }
            throw InvalidPredicateError(.type, "\(literal.typeName) is not a value that a store can have")
        }
    }
}
