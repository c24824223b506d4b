import Foundation

extension PredicateCompiler {
    func evaluation(_ node: ExpressionNode) throws -> Evaluation {
        if let value = node.literalValue { return { _ in value } }
        let inner = try deeper()
        switch node {
        case .constant(let value): return { _ in value }
        case .evaluatedObject: return { $0.object }
        case .variable(let name): return inner.variable(name)
        case .keyPath(let operand, let keys): return try inner.keyPath(operand, keys)
        case .function(let function, let arguments): return try inner.function(function, arguments)
        case .call(let target, let selector, let arguments): return try inner.call(target, selector, arguments)
        case .aggregate(let elements):
            let evaluations = try elements.map(inner.evaluation)
            return { scope in .array(try evaluations.map { try $0(&scope) }) }
        case .subquery(let collection, let variable, let predicate): return try inner.subquery(collection, variable, predicate)
        case .conditional(let predicate, let yes, let no):
            let test = try inner.test(predicate)
            let (first, second) = (try inner.evaluation(yes), try inner.evaluation(no))
            return { try test(&$0) ? first(&$0) : second(&$0) }
        case .setOperation(let operation, let left, let right): return try inner.setOperation(operation, left, right)
        case .fetch(let request, let context, let countOnly): return try inner.fetch(request, context, countOnly)
        case .block(let block):
            let arguments = try block.arguments.map(inner.evaluation)
            let closure = block.block
            return { scope in
                let values = try arguments.map { try $0(&scope).any ?? NSNull() }
                return PredicateValue(closure(scope.original, values, scope.context))
            }
        case .symbol(let symbol):
            throw InvalidPredicateError(
                .unsupported, "\(symbol.rawValue) has a meaning only as an index: collection[\(symbol.rawValue)]")
        case .anyKey: throw InvalidPredicateError(.unsupported, "ANYKEY is for Spotlight and has no value here")
        case .tooDeep: throw TreeDepth.error
        }
    }

    private func variable(_ name: String) -> Evaluation {
        if let index = localNames.lastIndex(of: name) { return { $0.locals[index] } }
        return { scope in
            guard let value = scope.bindings[name] else {
                throw InvalidPredicateError.missingVariable(name, among: scope.bindings.keys)
            }
            return PredicateValue(value)
        }
    }

    private func keyPath(_ operand: ExpressionNode, _ keys: [String]) throws -> Evaluation {
        if case .evaluatedObject = operand, let reader {
            let plain = keys.prefix { !$0.hasPrefix("@") }
            if !plain.isEmpty, let known = try reader(Array(plain)) {
                let rest = KeyPathWalk(keys.dropFirst(known.count))
                let read = known.read
                func start(_ scope: EvaluationScope) throws -> PredicateValue {
                    guard let object = scope.reference else {
                        throw InvalidPredicateError(
                            .type, "The predicate is compiled for objects of a class, not for \(scope.object.typeName)")
                    }
                    return try read(object)
                }
                if rest.isEmpty { return { try start($0) } }
                return { try rest.value(from: try start($0)) }
            }
        }
        let walk = KeyPathWalk(keys[...])
        if case .evaluatedObject = operand { return { try walk.value(from: $0.object) } }
        let base = try evaluation(operand)
        return { try walk.value(from: try base(&$0)) }
    }

    private func subquery(_ collection: ExpressionNode, _ variable: String, _ predicate: PredicateNode) throws -> Evaluation {
        let source = try self.collection(collection)
        var compiler = self
        compiler.localNames.append(variable)
        let test = try compiler.test(predicate)
        return { scope in
            guard let found = try source(&scope) else { return .array([]) }
            let depth = scope.locals.count
            scope.locals.append(.null)
            defer { scope.locals.removeLast() }
            var elements: [PredicateValue] = []
            for element in found.elements {
                scope.locals[depth] = element
                if try test(&scope) { elements.append(element) }
            }
            return .collection(ValueCollection(kind: found.kind, elements: elements))
        }
    }

    /// The collection of a subquery. A path over several to-many relationships leads to one collection, as for ANY.
    private func collection(_ node: ExpressionNode) throws -> (inout EvaluationScope) throws -> ValueCollection? {
        func collection(_ value: PredicateValue, _ isSpread: Bool) throws -> ValueCollection? {
            switch value {
            case .collection(let collection):
                return isSpread ? ValueCollection(kind: collection.kind, elements: collection.flattened) : collection
            case .null: return nil
            default: throw InvalidPredicateError(.type, "SUBQUERY needs a collection, not \(value.typeName)")
            }
        }
        guard case .keyPath(let operand, let keys) = node, keys.count > 1, !keys.contains(where: { $0.hasPrefix("@") }) else {
            let value = try evaluation(node)
            return { try collection(try value(&$0), false) }
        }
        if reader != nil {
            let value = try evaluation(node)
            return { try collection(try value(&$0), true) }
        }
        let base = try evaluation(operand)
        let walk = KeyPathWalk(keys[...])
        return { scope in
            let (value, isSpread) = try walk.plainValue(from: try base(&scope))
            return try collection(value, isSpread)
        }
    }

    private func setOperation(
        _ operation: ExpressionNode.SetOperation, _ left: ExpressionNode, _ right: ExpressionNode
    ) throws -> Evaluation {
        let (first, second) = (try evaluation(left), try evaluation(right))
        func elements(_ value: PredicateValue) throws -> [PredicateValue] {
            switch value {
            case .collection(let collection): return collection.elements
            case .null: return []
            default: throw InvalidPredicateError(.type, "\(operation.rawValue) needs collections, not \(value.typeName)")
            }
        }
        return { scope in
            let a = try elements(try first(&scope))
            let b = try elements(try second(&scope))
            let result: [PredicateValue]
            switch operation {
            case .union: result = a + b
            case .intersect:
                let common = Set(b)
                result = a.filter(common.contains)
            case .minus:
                let removed = Set(b)
                result = a.filter { !removed.contains($0) }
            }
            return .collection(ValueCollection(kind: .set, elements: Aggregate.distinct(result)))
        }
    }

    private func call(_ target: ExpressionNode, _ selector: String, _ arguments: [ExpressionNode]) throws -> Evaluation {
        let object = try evaluation(target)
        let values = try arguments.map(evaluation)
        return { scope in
            let receiver = try object(&scope)
            let arguments = try values.map { try $0(&scope).any }
            if let target = receiver.any as? any ExpressionFunctionTarget {
                return PredicateValue(try target.value(ofFunction: selector, arguments: arguments))
            }
            // A method without arguments is as good as a property.
            if arguments.isEmpty { return try KeyPathWalk.value(of: receiver, forKey: selector) }
            throw InvalidPredicateError(
                .unsupported, "\(receiver.typeName) has no function \"\(selector)\"",
                suggestion: "Custom functions need a type that conforms to ExpressionFunctionTarget")
        }
    }

    private func fetch(_ request: ExpressionNode, _ context: ExpressionNode, _ countOnly: Bool) throws -> Evaluation {
        let (first, second) = (try evaluation(request), try evaluation(context))
        return { scope in
            let request = try first(&scope)
            let context = try second(&scope)
            guard case .object(let object) = context, let fetching = object as? any PredicateFetching else {
                throw InvalidPredicateError(.type, "FETCH needs a managed object context, not \(context.typeName)")
            }
            return PredicateValue(try fetching.fetch(request.any, countOnly: countOnly))
        }
    }
}

/// An object with functions that `FUNCTION(object, "name:", argument)` may call.
///
/// On Apple's systems the name is a selector and any Objective-C method may be called. Elsewhere an object answers for itself:
///
/// ```swift
/// final class Rates: ExpressionFunctionTarget {
///     func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
///         guard name == "euros:", let amount = arguments[0] as? Double else { throw UnknownFunction(name) }
///         return amount * rate
///     }
/// }
/// ```
///
/// It is called on the thread that evaluates the predicate.
public protocol ExpressionFunctionTarget {
    /// Calls a function.
    ///
    /// - Parameters:
    ///   - name: The name with its colons, as in the format string.
    ///   - arguments: The arguments' values; numbers are `NSNumber`.
    /// - Throws: Anything, such as an error that there is no such function. It reaches the caller that evaluates the predicate.
    func value(ofFunction name: String, arguments: [Any?]) throws -> Any?
}

/// What executes the requests of FETCH expressions: the managed object context.
package protocol PredicateFetching: AnyObject {
    func fetch(_ request: Any?, countOnly: Bool) throws -> Any?
}
