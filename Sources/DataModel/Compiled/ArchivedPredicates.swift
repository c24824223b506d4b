import Foundation
import FoundationGaps
import Predicates

/// Makes predicates and expressions of what a compiled model has of them.
///
/// Each class is known by name, nothing else is read. Archives may go in circles or use one part very often, so that depth and
/// number of parts are bounded.
struct ArchivedPredicates {
    private static let greatestDepth = 100
    private static let greatestCount = 20_000

    private let graph: ArchiveGraph
    private var count = 0

    init(_ graph: ArchiveGraph) { self.graph = graph }

    /// - Throws: `ModelProblem`, or `KeyedArchive.Failure` for a damaged archive.
    static func predicate(_ value: ArchiveGraph.Value, in graph: ArchiveGraph) throws -> PredicateNode {
        var reader = ArchivedPredicates(graph)
        return try reader.predicate(value, 0)
    }

    /// - Throws: `ModelProblem`, or `KeyedArchive.Failure` for a damaged archive.
    static func expression(_ value: ArchiveGraph.Value, in graph: ArchiveGraph) throws -> ExpressionNode {
        var reader = ArchivedPredicates(graph)
        return try reader.expression(value, 0)
    }

    private mutating func object(_ value: ArchiveGraph.Value?, _ depth: Int) throws -> ArchiveGraph.Object {
        count += 1
        guard depth < Self.greatestDepth, count < Self.greatestCount else {
            throw ModelProblem("it is nested too deeply, or contains itself")
        }
        guard let value, case .object(let object) = try graph.resolve(value) else {
            throw ModelProblem("a part of it is missing")
        }
        return object
    }

    private func member(_ key: String, _ object: ArchiveGraph.Object) throws -> ArchiveGraph.Value? {
        try graph.member(key, of: object)
    }

    // MARK: Predicates

    private mutating func predicate(_ value: ArchiveGraph.Value?, _ depth: Int) throws -> PredicateNode {
        let object = try object(value, depth)
        switch object.className {
        case "NSTruePredicate": return .constant(true)
        case "NSFalsePredicate": return .constant(false)
        case "NSCompoundPredicate":
            var operands: [PredicateNode] = []
            for part in try member("NSSubpredicates", object).flatMap(graph.items) ?? [] {
                operands.append(try predicate(part, depth + 1))
            }
            switch try graph.integer("NSCompoundPredicateType", of: object) ?? 0 {
            case 0:
                guard operands.count == 1 else { throw ModelProblem("NOT has \(operands.count) operands") }
                return .not(operands[0])
            case 1: return .and(operands)
            case 2: return .or(operands)
            default: throw ModelProblem("a compound predicate is of an unknown kind")
            }
        case "NSComparisonPredicate": return .comparison(try comparison(object, depth))
        default: throw ModelProblem("the class \(object.className) is not one of a predicate")
        }
    }

    private mutating func comparison(_ object: ArchiveGraph.Object, _ depth: Int) throws -> ComparisonNode {
        let sign = try self.object(try member("NSPredicateOperator", object), depth + 1)
        guard ArchivedOperators.classes.values.contains(sign.className) else {
            throw ModelProblem("the class \(sign.className) is not one of an operator")
        }
        guard let number = try graph.integer("NSOperatorType", of: sign),
            var comparisonOperator = ArchivedOperators.byNumber[number]
        else { throw ModelProblem("its operator is unknown") }
        if comparisonOperator == .equalTo, try graph.flag("NSNegate", of: sign) { comparisonOperator = .notEqualTo }
        let modifierNumber = try graph.integer("NSModifier", of: sign) ?? 0
        guard let modifier = UInt(exactly: modifierNumber).flatMap(_NSComparisonPredicate.Modifier.init(rawValue:)) else {
            throw ModelProblem("its modifier is unknown")
        }
        // Operators of texts have their options under another key.
        let options = try graph.integer("NSOptions", of: sign) ?? graph.integer("NSFlags", of: sign) ?? 0
        return ComparisonNode(
            try expression(try member("NSLeftExpression", object), depth + 1), comparisonOperator,
            try expression(try member("NSRightExpression", object), depth + 1), modifier: modifier,
            options: _NSComparisonPredicate.Options(rawValue: UInt(exactly: options & 15) ?? 0))
    }

    // MARK: Expressions

    private mutating func expression(_ value: ArchiveGraph.Value?, _ depth: Int) throws -> ExpressionNode {
        let object = try object(value, depth)
        switch object.className {
        case "NSSelfExpression": return .evaluatedObject
        case "NSVariableExpression":
            guard let name = try graph.text("NSVariable", of: object) else { throw ModelProblem("a variable has no name") }
            return .variable(name)
        case "NSConstantValueExpression":
            guard try member("NSConstantValueClassName", object) == nil else {
                throw ModelProblem("a class stands where a value is needed")
            }
            return .constant(try constant(try member("NSConstantValue", object) ?? .null, depth))
        case "NSAggregateExpression":
            var elements: [ExpressionNode] = []
            for part in try member("NSCollection", object).flatMap(graph.items) ?? [] {
                elements.append(try expression(part, depth + 1))
            }
            return .aggregate(elements)
        case "NSFunctionExpression", "NSKeyPathExpression": return try function(object, depth)
        case "NSFetchRequestExpression":
            return .fetch(
                request: try expression(try member("NSFRExpression", object), depth + 1),
                context: try expression(try member("NSMOCExpression", object), depth + 1),
                countOnly: try graph.flag("NSCountOnlyFlag", of: object))
        default: throw ModelProblem("the class \(object.className) is not one of an expression that can be read")
        }
    }

    private mutating func constant(_ value: ArchiveGraph.Value, _ depth: Int) throws -> PredicateValue {
        count += 1
        guard depth < Self.greatestDepth, count < Self.greatestCount else {
            throw ModelProblem("it is nested too deeply, or contains itself")
        }
        let value = try graph.resolve(value)
        if case .null = value { return .null }
        if let items = try graph.items(value) {
            var elements: [PredicateValue] = []
            for item in items { elements.append(try constant(item, depth + 1)) }
            return .collection(ValueCollection(kind: .array, elements: elements))
        }
        guard let plain = try graph.foundationValue(value) else {
            throw ModelProblem("a constant is of a class that is not allowed")
        }
        return PredicateValue(plain)
    }

    private mutating func function(_ object: ArchiveGraph.Object, _ depth: Int) throws -> ExpressionNode {
        guard let selector = try graph.text("NSSelectorName", of: object) else { throw ModelProblem("a function has no name") }
        let arguments = try member("NSArguments", object).flatMap(graph.items) ?? []
        let operand = try self.object(try member("NSOperand", object), depth + 1)
        if ["valueForKey:", "valueForKeyPath:"].contains(selector), arguments.count == 1,
            case .object(let argument) = try graph.resolve(arguments[0]), argument.className == "NSKeyPathSpecifierExpression"
        {
            guard let path = try graph.text("NSKeyPath", of: argument), !path.isEmpty else {
                throw ModelProblem("a key path is missing")
            }
            let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard keys.count <= TreeDepth.greatestKeyCount else { throw ModelProblem("a key path has too many keys") }
            return .keyPath(keys, of: try expression(.object(operand), depth + 1))
        }
        var nodes: [ExpressionNode] = []
        for argument in arguments { nodes.append(try expression(argument, depth + 1)) }
        if operand.className == "NSConstantValueExpression",
            let name = try graph.text("NSConstantValueClassName", of: operand)
        {
            guard name == "_NSPredicateUtilities", let function = PredicateFunction(rawValue: selector),
                function.isAggregate ? nodes.count >= 1 : nodes.count == function.argumentCount
            else { throw ModelProblem("the function \(selector) of \(name) is unknown") }
            return .function(function, nodes)
        }
        guard selector.utf8.count(where: { $0 == UInt8(ascii: ":") }) == nodes.count else {
            throw ModelProblem("the function \(selector) has \(nodes.count) arguments")
        }
        return .call(try expression(.object(operand), depth + 1), selector: selector, nodes)
    }
}
