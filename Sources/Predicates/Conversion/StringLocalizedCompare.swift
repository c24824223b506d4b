#if !canImport(Darwin)
    import Foundation

    extension PredicateExpressions {
        /// `text.localizedCompare(other)` in `#Predicate`.
        ///
        /// The macro accepts the call everywhere, but only Apple's Foundation has what it expands to; this is the same under Apple's name.
        public struct StringLocalizedCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
        where Root.Output: StringProtocol, Other.Output: StringProtocol {
            /// The order of the two texts.
            public typealias Output = ComparisonResult

            /// The text on which the method is called.
            public let root: Root
            /// The method's argument.
            public let other: Other

            /// Makes the expression; `#Predicate` does.
            public init(root: Root, other: Other) {
                self.root = root
                self.other = other
            }

            /// The order of the two texts by the rules of the current locale.
            public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
                try root.evaluate(bindings).localizedCompare(other.evaluate(bindings))
            }
        }

        /// Makes ``StringLocalizedCompare`` for `#Predicate`.
        public static func build_localizedCompare<Root, Other>(_ root: Root, _ other: Other) -> StringLocalizedCompare<
            Root, Other
        > {
            StringLocalizedCompare(root: root, other: other)
        }
    }

    extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
    where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

    extension PredicateExpressions.StringLocalizedCompare: Codable where Root: Codable, Other: Codable {}

    extension PredicateExpressions.StringLocalizedCompare: Sendable where Root: Sendable, Other: Sendable {}

    extension PredicateExpressions.StringLocalizedCompare: CustomStringConvertible {
        /// The expression as text.
        public var description: String { "\(root).localizedCompare(\(other))" }
    }

    extension PredicateExpressions.StringLocalizedCompare: ConvertibleExpression {
        func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
            try state.order(root, other, .localeSensitive)
        }
    }
#endif
