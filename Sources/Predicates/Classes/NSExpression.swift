public import Foundation

/// What an expression is, behind the name `NSExpression`. An accessor that doesn't fit the expression's type stops the
/// program with a message, as Apple's raises an exception.
///
/// Objects don't change and may be read and evaluated on any thread, as far as the objects in them may.
open class _Expression: _NSExpression {
    package let node: ExpressionNode
    fileprivate let compiled: LazyExpressionCompilation

    /// Never called: objects are made by ``_PredicatePartMaking``.
    private init(never: Never) { switch never {} }

    /// An expression of this class.
    package static func make(_ node: ExpressionNode) -> Self {
        Recasting.object(ExpressionMould(node.bounded), as: self)
    }

    // MARK: NSObject

    /// The expression as a format string, from which `NSExpression(format:)` makes an equal one.
    override open var description: String { PredicatePrinter.print(node) }

    /// Equal expressions are built alike.
    override open func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? _Expression else { return false }
        return self === other || node == other.node
    }

    /// A hash that equal expressions have in common.
    override open var hash: Int { node.hashValue }

    /// Itself, as it never changes.
    override open func copy() -> Any { copy(with: nil) }

    /// Itself, as it never changes.
    override open func copy(with zone: NSZone? = nil) -> Any { self }
}

/// The stored properties of `_Expression`.
private final class ExpressionMould: NSObject {
    let node: ExpressionNode
    let compiled = LazyExpressionCompilation()

    init(_ node: ExpressionNode) { self.node = node }
}

extension _PredicatePartMaking where Self: _NSExpression {
    package init(_ node: ExpressionNode) {
        guard let expression = _Expression.make(node) as? Self else {
            fatalError("\(Self.self) can't be made from an expression")
        }
        self = expression
    }

    package var node: ExpressionNode { own.node }

    private var own: _Expression {
        guard let own = self as? _Expression else {
            fatalError("\(type(of: self)) is not a class of expressions that is known here")
        }
        return own
    }

    // MARK: Making expressions

    /// An expression that has always the same value.
    ///
    /// - Parameter obj: The value; `nil` and `NSNull` are the same.
    public init(forConstantValue obj: Any?) {
        self.init(.constant(PredicateValue(obj)))
    }

    /// The expression SELF: the object that is evaluated.
    public static func expressionForEvaluatedObject() -> _NSExpression { _NSExpression(.evaluatedObject) }

    /// An expression whose value is given when it is evaluated or substituted.
    ///
    /// - Parameter string: The variable's name, without the dollar sign.
    public init(forVariable string: String) {
        self.init(.variable(string))
    }

    /// The value at the end of a path of keys, seen from the evaluated object.
    ///
    /// - Parameter keyPath: Keys and collection operators (`@count`, `@max`…) with dots between them.
    public init(forKeyPath keyPath: String) {
        self.init(.keyPath(keyPath))
    }

    /// A predefined function.
    ///
    /// The functions are Apple's: `sum:`, `count:`, `min:`, `max:`, `average:`, `median:`, `mode:`, `stddev:`, `add:to:`,
    /// `from:subtract:`, `multiply:by:`, `divide:by:`, `modulus:by:`, `raise:toPower:`, `sqrt:`, `log:`, `ln:`, `exp:`,
    /// `floor:`, `ceiling:`, `abs:`, `trunc:`, `random`, `random:`, `now`, `uppercase:`, `lowercase:`, `canonical:`,
    /// `length:`, `bitwiseAnd:with:`, `bitwiseOr:with:`, `bitwiseXor:with:`, `leftshift:by:`, `rightshift:by:`,
    /// `onesComplement:`, `noindex:`, `castObject:toType:`, `objectFrom:withIndex:`. An unknown name or a wrong number of
    /// arguments stops the program.
    ///
    /// - Parameters:
    ///   - name: The function's name, with its colons.
    ///   - parameters: Its arguments: expressions, or values for constants.
    public init(forFunction name: String, arguments parameters: [Any]) {
        guard let function = PredicateFunction(rawValue: name) else {
            stop(InvalidPredicateError.unknownFunction(name, among: PredicateFunction.allCases.map(\.rawValue)))
        }
        guard function.takes(parameters.count) else { stop(InvalidPredicateError.wrongCount(function, parameters.count)) }
        self.init(.function(function, parameters.map(ExpressionNode.init(parameter:))))
    }

    /// A function of the program's own object; see ``ExpressionFunctionTarget``.
    ///
    /// - Parameters:
    ///   - target: The object.
    ///   - name: The function's name.
    ///   - parameters: Its arguments: expressions, or values for constants.
    public init(forFunction target: _NSExpression, selectorName name: String, arguments parameters: [Any]?) {
        self.init(.call(target.node, selector: name, (parameters ?? []).map(ExpressionNode.init(parameter:))))
    }

    /// A collection of other expressions' values.
    ///
    /// - Parameter subexpressions: The expressions, or values for constants.
    public init(forAggregate subexpressions: [Any]) {
        self.init(.aggregate(subexpressions.map(ExpressionNode.init(parameter:))))
    }

    /// All elements of two collections.
    public init(forUnionSet left: _NSExpression, with right: _NSExpression) {
        self.init(.setOperation(.union, left.node, right.node))
    }

    /// The elements that two collections have in common.
    public init(forIntersectSet left: _NSExpression, with right: _NSExpression) {
        self.init(.setOperation(.intersect, left.node, right.node))
    }

    /// The elements of the first collection that the second one doesn't have.
    public init(forMinusSet left: _NSExpression, with right: _NSExpression) {
        self.init(.setOperation(.minus, left.node, right.node))
    }

    /// The elements of a collection for which a predicate is true.
    ///
    /// - Parameters:
    ///   - expression: The collection.
    ///   - variable: The name by which the predicate calls an element.
    ///   - predicate: The predicate.
    public init(
        forSubquery expression: _NSExpression, usingIteratorVariable variable: String, predicate: NSPredicate
    ) {
        self.init(.subquery(expression.node, variable: variable, PredicateNode(predicate)))
    }

    /// One of two expressions.
    ///
    /// - Parameters:
    ///   - predicate: Decides which one.
    ///   - trueExpression: The value if the predicate is true.
    ///   - falseExpression: The value if the predicate is false.
    public init(
        forConditional predicate: NSPredicate, trueExpression: _NSExpression, falseExpression: _NSExpression
    ) {
        self.init(.conditional(PredicateNode(predicate), trueExpression.node, falseExpression.node))
    }

    /// Spotlight's "any attribute", which has no value here.
    public static func expressionForAnyKey() -> _NSExpression { _NSExpression(.anyKey) }

    /// The value of a closure; for memory only.
    ///
    /// - Parameters:
    ///   - block: Gets the evaluated object, the arguments' values (`NSNull` for nil) and the context.
    ///   - arguments: Expressions for the closure's second argument.
    public init(
        block: @escaping (Any?, [Any], NSMutableDictionary?) -> Any, arguments: [_NSExpression]?
    ) {
        self.init(.block(BlockExpression(block: block, arguments: (arguments ?? []).map(\.node))))
    }

    // MARK: Evaluating

    /// The expression's value for an object.
    ///
    /// Numbers come as `NSNumber`. Where Apple's method raises an exception the program stops with a message;
    /// ``value(validating:context:)`` throws it instead.
    ///
    /// - Parameters:
    ///   - object: The object, SELF.
    ///   - context: Values of variables by name.
    public func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        do {
            return try value(validating: object, context: context)
        } catch {
            stop(error)
        }
    }

    /// The expression's value for an object, or what keeps it from having one.
    ///
    /// - Parameters:
    ///   - object: The object, SELF.
    ///   - context: Values of variables by name.
    /// - Throws: ``InvalidPredicateError``, or the error of the program's own closure or function.
    public func value(validating object: Any?, context: NSMutableDictionary? = nil) throws -> Any? {
        try own.compiled.value(node, object, context).any
    }

    /// Does nothing: elsewhere than on Apple's systems, expressions are not decoded from archives.
    public func allowEvaluation() {}
}

extension ExpressionNode {
    /// What the initializers with untyped arguments take: an expression, or a value for a constant.
    init(parameter: Any) {
        if let expression = parameter as? _Expression {
            self = expression.node
        } else {
            self = .constant(PredicateValue(parameter))
        }
    }
}
