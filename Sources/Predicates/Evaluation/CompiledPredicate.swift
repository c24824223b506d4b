import Foundation

/// A predicate as nested closures: each part of the tree is looked at once, not once for each object.
package final class CompiledPredicate {
    private let test: PredicateCompiler.Test
    private let node: PredicateNode
    private let hasClosures: Bool

    /// Compiles a predicate.
    ///
    /// - Parameters:
    ///   - node: the predicate.
    ///   - reader: gives, for keys without collection operators seen from the evaluated object, a direct way to read them. It may
    ///     throw for keys that the objects don't have. With a reader the predicate is only for the objects that the reader knows.
    ///   - equatesDigits: whether constant whole numbers equal the texts of their digits, as in a store.
    package init(
        _ node: PredicateNode, reader: (([String]) throws -> KeyPathReader?)? = nil, equatesDigits: Bool = false
    ) throws {
        self.node = node
        hasClosures = node.hasClosures
        do {
            test = try PredicateCompiler(reader: reader, equatesDigits: equatesDigits).test(node)
        } catch let error as InvalidPredicateError {
            throw error.found(in: PredicatePrinter.print(node))
        }
    }

    /// Whether the predicate is true for any value.
    package func evaluate(_ object: Any?, _ bindings: [String: Any]? = nil) throws -> Bool {
        var scope = EvaluationScope(object, bindings, keepsOriginal: hasClosures)
        return try evaluate(&scope)
    }

    /// Whether the predicate is true for an object which is not one of Foundation's values.
    package func evaluate(object: AnyObject, _ bindings: [String: Any]? = nil) throws -> Bool {
        var scope = EvaluationScope(object: object, bindings, keepsOriginal: hasClosures)
        return try evaluate(&scope)
    }

    private func evaluate(_ scope: inout EvaluationScope) throws -> Bool {
        do {
            return try test(&scope)
        } catch let error as InvalidPredicateError {
            throw error.found(in: PredicatePrinter.print(node))
        }
    }
}
