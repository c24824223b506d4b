#if !canImport(Darwin)
    import Foundation

    extension PredicateExpressions {
        /// `text.localizedStandardContains(other)` in `#Predicate`.
        ///
        /// The macro accepts the call everywhere, but only Apple's Foundation has what it expands to; this is the same under Apple's name.
        public struct StringLocalizedStandardContains<Root: PredicateExpression, Other: PredicateExpression>: PredicateExpression
        where Root.Output: StringProtocol, Other.Output: StringProtocol {
            /// Whether the text contains the other one.
            public typealias Output = Bool

            /// The text on which the method is called.
            public let root: Root
            /// The method's argument.
            public let other: Other

            /// Makes the expression; `#Predicate` does.
            public init(root: Root, other: Other) {
                self.root = root
                self.other = other
            }

            /// Whether the text contains the other one, whatever the case and diacritics, in the current locale.
            public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
                try root.evaluate(bindings).localizedStandardContains(other.evaluate(bindings))
            }
        }

        /// Makes ``StringLocalizedStandardContains`` for `#Predicate`.
        public static func build_localizedStandardContains<Root, Other>(_ root: Root, _ other: Other)
            -> StringLocalizedStandardContains<Root, Other>
        {
            StringLocalizedStandardContains(root: root, other: other)
        }
    }

    extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
    where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

    extension PredicateExpressions.StringLocalizedStandardContains: Codable where Root: Codable, Other: Codable {}

    extension PredicateExpressions.StringLocalizedStandardContains: Sendable where Root: Sendable, Other: Sendable {}

    extension PredicateExpressions.StringLocalizedStandardContains: CustomStringConvertible {
        /// The expression as text.
        public var description: String { "\(root).localizedStandardContains(\(other))" }
    }

    extension PredicateExpressions.StringLocalizedStandardContains: ConvertibleExpression {
        func convert(_ state: inout ConversionState) throws -> ConversionState.Result {
            try state.compare(root, .contains, other, [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
        }
    }
#endif
