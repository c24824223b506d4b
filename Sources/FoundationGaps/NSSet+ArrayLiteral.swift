#if !canImport(ObjectiveC)
    import Foundation

    /// Gives Foundation's sets the array literals that they have on Apple's systems, so that
    /// `(set ?? []) as? Set<File>` compiles here, too.
    public protocol ArrayLiteralSet: ExpressibleByArrayLiteral {}

    // If Foundation gets this conformance, this file must be removed.
    // swift-format-ignore: AvoidRetroactiveConformances
    extension NSSet: ArrayLiteralSet, @retroactive ExpressibleByArrayLiteral {}

    extension ArrayLiteralSet {
        /// Makes an `NSSet`, `NSMutableSet` or `NSCountedSet` of these elements. Other subclasses can't be made this
        /// way, and stop the program.
        public init(arrayLiteral elements: Any...) {
            let set: NSSet =
                switch Self.self {
                case is NSCountedSet.Type: NSCountedSet(array: elements)
                case is NSMutableSet.Type: NSMutableSet(array: elements)
                default: NSSet(array: elements)
                }
            guard let set = set as? Self else {
                preconditionFailure("A \(Self.self) can't be made from an array literal: use its initializers")
            }
            self = set
        }
    }
#endif
