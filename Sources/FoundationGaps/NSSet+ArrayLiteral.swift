public import Foundation

// So that `(set ?? []) as? Set<File>` compiles here, too. If Foundation gets this conformance, this file must be removed.
// swift-format-ignore: AvoidRetroactiveConformances
extension NSSet: _ClassCluster, @retroactive ExpressibleByArrayLiteral {}

extension _ClassCluster where Self: NSSet {
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
