/// The name of a comparison for sort descriptors. On Apple's systems it can name any Objective-C method. Elsewhere
/// only the names that ``Foundation/NSSortDescriptor`` documents have a meaning.
public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// The name, with its colons.
    public let description: String

    /// Makes a selector with a name.
    public init(_ name: String) { description = name }

    /// Makes a selector with a name.
    public init(stringLiteral value: String) { description = value }
}

/// The selector with a name, such as `localizedStandardCompare:`.
public func NSSelectorFromString(_ aSelectorName: String) -> Selector { Selector(aSelectorName) }

/// The name of a selector.
public func NSStringFromSelector(_ aSelector: Selector) -> String { aSelector.description }
