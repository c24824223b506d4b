package import Foundation

/// Turns `#Predicate` and `#Expression` into trees.
///
/// The result has the shape of Apple's own conversion, so it equals the format string Apple documents for the same question.
/// Beyond Apple's it takes whole-number division and remainder, the default value of a dictionary, and casts between classes of
/// entities.
package struct PredicateConversion {
    /// The stored name for a key path of one step, or several names with dots between them; nil for properties that are not
    /// stored.
    package let keyName: (AnyKeyPath) -> String?
    /// The names of the entity of a class and of its subentities; nil for other types.
    package let entityNames: (Any.Type) -> [String]?

    package init(
        keyName: @escaping (AnyKeyPath) -> String?, entityNames: @escaping (Any.Type) -> [String]? = { _ in nil }
    ) {
        self.keyName = keyName
        self.entityNames = entityNames
    }

    /// The predicate as a tree.
    ///
    /// - Throws: `InvalidPredicateError` of kind `unsupported`, which shows the predicate, the part of it that can't be stored,
    ///   and what to write instead.
    package func node<Input>(_ predicate: Predicate<Input>) throws -> PredicateNode {
        var state = ConversionState(self, root: predicate.variable.key)
        do {
            return try state.predicate(predicate.expression)
        } catch let error as InvalidPredicateError {
            throw error.found(
                in: ConversionState.isDescribable(predicate.expression) ? "\(predicate)" : "#Predicate<\(Input.self)>")
        }
    }

    /// The expression as a tree.
    ///
    /// - Throws: `InvalidPredicateError` of kind `unsupported`, which shows the expression, the part of it that can't be stored,
    ///   and what to write instead.
    package func node<Input, Output>(_ expression: Expression<Input, Output>) throws -> ExpressionNode {
        var state = ConversionState(self, root: expression.variable.key)
        do {
            return try state.expression(expression.expression)
        } catch let error as InvalidPredicateError {
            throw error.found(
                in: ConversionState.isDescribable(expression.expression)
                    ? "\(expression)" : "#Expression<\(Input.self), \(Output.self)>")
        }
    }
}
