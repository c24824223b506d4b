#if !canImport(Darwin)
    import Foundation

    extension PredicateExpressions {
        /// `text.caseInsensitiveCompare(other)` in `#Predicate`.
        ///
        /// The macro accepts the call everywhere, but only Apple's Foundation has what it expands to; this is the same under Apple's name.
        public struct StringCaseInsensitiveCompare<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
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

            /// The order of the two texts without regard to case.
            public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
                try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
            }
        }

        /// Makes ``StringCaseInsensitiveCompare`` for `#Predicate`.
        public static func build_caseInsensitiveCompare<Root, Other>(_ root: Root, _ other: Other)
            -> StringCaseInsensitiveCompare<Root, Other>
        {
            StringCaseInsensitiveCompare(root: root, other: other)
        }
    }

    extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
    where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

    extension PredicateExpressions.StringCaseInsensitiveCompare: Codable where Root: Codable, Other: Codable {}

    extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable where Root: Sendable, Other: Sendable {}

    extension PredicateExpressions.StringCaseInsensitiveCompare: CustomStringConvertible {
        /// The expression as text.
        public var description: String { "\(root).caseInsensitiveCompare(\(other))" }
    }

    extension PredicateExpressions.StringCaseInsensitiveCompare: ConvertibleExpression {
        func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
            try state.order(root, other, .caseInsensitive)
        }
    }
#endif
