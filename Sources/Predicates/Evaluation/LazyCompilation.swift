import Foundation

/// Compiles a predicate when it is first evaluated, whichever thread that is on, and keeps the result.
final class LazyCompilation {
    private final class Outcome {
        let result: Result<CompiledPredicate, any Error>
        init(_ result: Result<CompiledPredicate, any Error>) { self.result = result }
    }

    private let outcome = OnceCache<Outcome>()

    func compiled(_ node: @autoclosure () -> PredicateNode) throws -> CompiledPredicate {
        try outcome.value { Outcome(Result { try CompiledPredicate(node()) }) }.result.get()
    }

    func evaluateOrStop(_ node: @autoclosure () -> PredicateNode, _ object: Any?, _ bindings: [String: Any]?) -> Bool {
        do {
            return try compiled(node()).evaluate(object, bindings)
        } catch {
            stop(error)
        }
    }
}

/// A predicate that keeps its compiled form.
protocol LazilyCompiled {
    var compiled: LazyCompilation { get }
}

/// The same for an expression.
final class LazyExpressionCompilation {
    private final class Outcome {
        let result: Result<PredicateCompiler.Evaluation, any Error>
        init(_ result: Result<PredicateCompiler.Evaluation, any Error>) { self.result = result }
    }

    private let outcome = OnceCache<Outcome>()

    func value(_ node: ExpressionNode, _ object: Any?, _ context: NSMutableDictionary?) throws -> PredicateValue {
        do {
            let evaluation = try outcome.value { Outcome(Result { try PredicateCompiler().evaluation(node) }) }.result.get()
            var bindings: [String: Any] = [:]
            for (key, value) in context ?? [:] {
                if let name = key as? String { bindings[name] = value }
            }
            var scope = EvaluationScope(object, bindings, context: context, keepsOriginal: true)
            return try evaluation(&scope)
        } catch let error as InvalidPredicateError {
            throw error.found(in: PredicatePrinter.print(node))
        }
    }
}
