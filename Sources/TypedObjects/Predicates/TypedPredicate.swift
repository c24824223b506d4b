public import Foundation
import ObjectGraph
package import Predicates

/// A condition on the objects of a class that is made by operators on keys or key paths. It is a light alternative to
/// `#Predicate`.
///
/// ```swift
/// try context.fetch(Movie.self, where: Movie.keys.rating > 8 && Movie.keys.title == "Ran")
/// try context.fetch(Movie.self, where: \.title == "Ran" || \.director.name == "Akira Kurosawa")
/// request.predicate = (Movie.keys.genre == .drama && !Movie.keys.scenes.isEmpty).predicate
/// ```
///
/// The compiler checks names and types. The result equals the predicate of a format string, such as `rating > 8 AND title ==
/// "Ran"`.
public struct TypedPredicate<Object: TypedObject> {
    package let node: PredicateNode

    package init(_ node: PredicateNode) { self.node = node }

    init(
        _ name: String, _ comparisonOperator: _NSComparisonPredicate.Operator, _ value: PredicateValue,
        modifier: _NSComparisonPredicate.Modifier = .direct, options: _NSComparisonPredicate.Options = []
    ) {
        node = .comparison(
            ComparisonNode(.keyPath(name), comparisonOperator, .constant(value), modifier: modifier, options: options))
    }

    /// The condition as an `NSPredicate`.
    public var predicate: NSPredicate { node.predicate }
}

extension TypedPredicate: CustomStringConvertible {
    /// The format string.
    public var description: String { PredicatePrinter.print(node) }
}

extension TypedPredicate {
    /// True if both conditions are true.
    public static func && (left: Self, right: Self) -> Self {
        TypedPredicate(.and(left.operands(of: .and) + right.operands(of: .and)))
    }

    /// True if at least one of the conditions is true.
    public static func || (left: Self, right: Self) -> Self {
        TypedPredicate(.or(left.operands(of: .or) + right.operands(of: .or)))
    }

    /// True if the condition is false.
    public static prefix func ! (operand: Self) -> Self { TypedPredicate(.not(operand.node)) }

    private enum Connective {
        case and
        case or
    }

    /// The parts of a condition, so that `a && b && c` is one list, as in a format string.
    private func operands(of connective: Connective) -> [PredicateNode] {
        switch (connective, node) {
        case (.and, .and(let operands)), (.or, .or(let operands)): operands
        default: [node]
        }
    }
}
