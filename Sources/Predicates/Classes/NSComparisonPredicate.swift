public import Foundation

/// What a comparison is, behind the name `NSComparisonPredicate`.
///
/// Objects don't change and may be read and evaluated on any thread, as far as the objects in them may.
final class Comparison: _NSComparisonPredicate, LazilyCompiled {
    let node: ComparisonNode
    let compiled: LazyCompilation

    /// Never called: objects are made by ``_PredicatePartMaking``.
    private init(never: Never) { switch never {} }

    static func make(_ node: ComparisonNode) -> Comparison { Recasting.object(ComparisonMould(node), as: Comparison.self) }

    /// The predicate as a format string, from which `NSPredicate(format:)` makes an equal one.
    override var predicateFormat: String { PredicatePrinter.print(.comparison(node)) }

    /// The format string.
    override var description: String { predicateFormat }

    /// Whether the predicate is true for an object.
    ///
    /// Where Apple's method raises an exception (a variable without a value, ANY of something that is not a collection) the
    /// program stops with a message; ``Foundation/NSPredicate/evaluate(validating:substitutionVariables:)`` throws it
    /// instead.
    override func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
        compiled.evaluateOrStop(.comparison(node), object, bindings)
    }

    /// Equal predicates have the same operator and options and equal expressions.
    override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? Comparison else { return false }
        return self === other || node == other.node
    }

    /// A hash that equal predicates have in common.
    override var hash: Int { node.hashValue }

    /// Itself, as it never changes.
    override func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The stored properties of `Comparison`.
private final class ComparisonMould: NSPredicate {
    let node: ComparisonNode
    let compiled = LazyCompilation()

    init(_ node: ComparisonNode) {
        self.node = node
        super.init(block: Self.unused)
    }

    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    /// A closure keeps Foundation from taking this for a predicate of its own that is always true or false.
    private static let unused: @Sendable (Any?, [String: Any]?) -> Bool = { _, _ in false }
}

extension _PredicatePartMaking where Self: _NSComparisonPredicate {
    package init(_ node: ComparisonNode) {
        guard let comparison = Comparison.make(node) as? Self else {
            fatalError("\(Self.self) can't be made from a comparison")
        }
        self = comparison
    }

    package var node: ComparisonNode {
        guard let own = self as? Comparison else {
            fatalError("\(type(of: self)) is not a class of comparisons that is known here")
        }
        return own.node
    }

    /// Makes a comparison.
    ///
    /// - Parameters:
    ///   - lhs: The left side.
    ///   - rhs: The right side.
    ///   - modifier: Whether ANY or ALL elements of the left side, or the left side itself must compare.
    ///   - type: The operator.
    ///   - options: How texts are compared.
    public init(
        leftExpression lhs: _NSExpression, rightExpression rhs: _NSExpression,
        modifier: _NSComparisonPredicate.Modifier = .direct, type: _NSComparisonPredicate.Operator,
        options: _NSComparisonPredicate.Options = []
    ) {
        self.init(ComparisonNode(lhs.node, type, rhs.node, modifier: modifier, options: options))
    }

    /// The operator.
    public var predicateOperatorType: _NSComparisonPredicate.Operator { node.comparisonOperator }

    /// Whether ANY or ALL elements of the left side, or the left side itself must compare.
    public var comparisonPredicateModifier: _NSComparisonPredicate.Modifier { node.modifier }

    /// The left side.
    public var leftExpression: _NSExpression { _NSExpression(node.left) }

    /// The right side.
    public var rightExpression: _NSExpression { _NSExpression(node.right) }

    /// How texts are compared.
    public var options: _NSComparisonPredicate.Options { node.options }
}
