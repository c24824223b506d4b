public import Foundation

extension NSPredicate {
    /// Whether the predicate is true for an object, or what keeps it from being evaluated. Apple's class has no such method.
    ///
    /// - Parameters:
    ///   - object: The object, SELF.
    ///   - bindings: Values of `$variables` by name.
    /// - Throws: ``InvalidPredicateError`` where Apple's `evaluate(with:)` raises an exception, or the error of the program's
    ///   own function.
    public func evaluate(validating object: Any?, substitutionVariables bindings: [String: Any]? = nil) throws -> Bool {
        let compilation = (self as? any LazilyCompiled)?.compiled ?? LazyCompilation()
        return try compilation.compiled(PredicateNode(self)).evaluate(object, bindings)
    }

    /// The predicate with values in place of its variables. The variables that subqueries give to their elements are not
    /// touched.
    ///
    /// A variable without a value stops the program, as Apple's method raises an exception; ``substituting(_:)`` throws
    /// instead.
    ///
    /// - Parameter variables: Values by name; `NSNull` for nil, an `NSExpression` for itself.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
        do {
            return try substituting(variables)
        } catch {
            stop(error)
        }
    }

    /// The predicate with values in place of its variables, or which of them has none. Apple's class has no such method.
    ///
    /// - Parameter variables: Values by name; `NSNull` for nil, an `NSExpression` for itself.
    /// - Throws: ``InvalidPredicateError`` of kind `variable`.
    public func substituting(_ variables: [String: Any]) throws -> Self {
        let values = variables.mapValues { ExpressionNode(parameter: $0) }
        let node = PredicateNode(self)
        do {
            let result = try Substitution(values: values).predicate(node)
            guard !result.isDeeper(than: TreeDepth.greatest) else { throw TreeDepth.error }
            return result.predicate as? Self ?? self
        } catch let error as InvalidPredicateError {
            throw error.found(in: PredicatePrinter.print(node))
        }
    }

    /// Does nothing: elsewhere than on Apple's systems, predicates are not decoded from archives.
    public func allowEvaluation() {}
}
