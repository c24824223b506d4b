#if !canImport(Darwin)
    /// The name of a comparison for sort descriptors. On Apple's systems it can name any Objective-C method; elsewhere only the names that
    /// ``Foundation/NSSortDescriptor`` documents mean something.
    public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// The name, with its colons.
        public let description: String

        /// Takes a name.
        public init(_ name: String) { description = name }

        /// Takes a name.
        public init(stringLiteral value: String) { description = value }
    }

    /// The selector with a name, such as `localizedStandardCompare:`.
    public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

    /// The name of a selector.
    public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }
#endif
