#if !canImport(Darwin)
    import Foundation

    /// A predicate that compares the values of two expressions.
    ///
    /// `NSPredicate(format:)` returns objects of this class for comparisons. It is Apple's class of that name; Linux Foundation has only a stub that can't be
    /// made. What differs: there are no custom selectors.
    ///
    /// Objects don't change and may be read and evaluated on any thread, as far as the objects in them may.
    open class NSComparisonPredicate: NSPredicate, LazilyCompiled {
        /// Which elements of the left side must compare.
        public enum Modifier: UInt, Sendable {
            /// The left side itself.
            case direct = 0
            /// ALL of its elements.
            case all = 1
            /// ANY of its elements.
            case any = 2
        }

        /// How texts are compared.
        public struct Options: OptionSet, Hashable, Sendable {
            /// The bits of the options.
            public let rawValue: UInt

            /// Makes options from their bits.
            public init(rawValue: UInt) { self.rawValue = rawValue }

            /// `[c]`: capitals and small letters are the same.
            public static let caseInsensitive = Options(rawValue: 1)
            /// `[d]`: letters with and without diacritics are the same.
            public static let diacriticInsensitive = Options(rawValue: 2)
            /// `[n]`: the texts are in a comparable form already; the other options have no effect.
            public static let normalized = Options(rawValue: 4)
        }

        /// What a comparison asks.
        public enum Operator: UInt, Sendable {
            /// `<`
            case lessThan = 0
            /// `<=`
            case lessThanOrEqualTo = 1
            /// `>`
            case greaterThan = 2
            /// `>=`
            case greaterThanOrEqualTo = 3
            /// `==`
            case equalTo = 4
            /// `!=`
            case notEqualTo = 5
            /// MATCHES: the whole text fits a regular expression.
            case matches = 6
            /// LIKE: the whole text fits a pattern with `*` and `?`.
            case like = 7
            /// BEGINSWITH
            case beginsWith = 8
            /// ENDSWITH
            case endsWith = 9
            /// IN: the right side contains the left side.
            case `in` = 10
            /// Apple's comparison by a method of one's own. It exists here for its raw value: a predicate with it can't be evaluated.
            case customSelector = 11
            /// CONTAINS: the left side contains the right side.
            case contains = 99
            /// BETWEEN: the left side is not outside of the two elements of the right side.
            case between = 100
        }

        package let node: ComparisonNode
        let compiled = LazyCompilation()

        /// Makes a comparison.
        ///
        /// - Parameters:
        ///   - lhs: The left side.
        ///   - rhs: The right side.
        ///   - modifier: Whether ANY or ALL elements of the left side, or the left side itself must compare.
        ///   - type: The operator.
        ///   - options: How texts are compared.
        public init(
            leftExpression lhs: NSExpression, rightExpression rhs: NSExpression, modifier: Modifier = .direct, type: Operator,
            options: Options = []
        ) {
            node = ComparisonNode(lhs.node, type, rhs.node, modifier: modifier, options: options)
            super.init(block: Self.unused)
        }

        package init(_ node: ComparisonNode) {
            self.node = node
            super.init(block: Self.unused)
        }

        /// A closure keeps Foundation from taking this for a predicate of its own that is always true or false.
        private static let unused: @Sendable (Any?, [String: Any]?) -> Bool = { _, _ in false }

        /// The operator.
        open var predicateOperatorType: Operator { node.comparisonOperator }

        /// Whether ANY or ALL elements of the left side, or the left side itself must compare.
        open var comparisonPredicateModifier: Modifier { node.modifier }

        /// The left side.
        open var leftExpression: NSExpression { NSExpression(node.left) }

        /// The right side.
        open var rightExpression: NSExpression { NSExpression(node.right) }

        /// How texts are compared.
        open var options: Options { node.options }

        /// The predicate as a format string, from which `NSPredicate(format:)` makes an equal one.
        override open var predicateFormat: String { PredicatePrinter.print(.comparison(node)) }

        /// The format string.
        override open var description: String { predicateFormat }

        /// Whether the predicate is true for an object.
        ///
        /// Where Apple's method raises an exception (a variable without a value, ANY of what is no collection) the program stops with a message;
        /// ``Foundation/NSPredicate/evaluate(validating:substitutionVariables:)`` throws it instead.
        override open func evaluate(with object: Any?, substitutionVariables bindings: [String: Any]?) -> Bool {
            compiled.evaluateOrStop(.comparison(node), object, bindings)
        }

        /// Equal predicates have the same operator and options and equal expressions.
        override open func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? NSComparisonPredicate else { return false }
            return self === other || node == other.node
        }

        /// A hash that equal predicates have in common.
        override open var hash: Int { node.hashValue }

        /// Itself, as it never changes.
        override open func copy(with zone: NSZone? = nil) -> Any { self }
    }
#endif
