public import Foundation
public import FoundationGaps

extension NSSortDescriptor: _ClassCluster {}

extension _ClassCluster where Self == NSSortDescriptor {
    /// A descriptor that sorts by the value at a key or key path.
    ///
    /// `nil` sorts before every value in ascending order; texts sort by Unicode code points, as a store sorts them.
    ///
    /// - Parameters:
    ///   - key: A property's name, or names separated by dots. `nil` sorts the objects themselves.
    ///   - ascending: Whether smaller values come first.
    public init(key: String?, ascending: Bool) {
        self = KeySortDescriptor(sortKey: key, ascending: ascending, comparator: nil)
    }

    /// A descriptor that sorts by the value at a key or key path, comparing texts as a selector says.
    ///
    /// - Parameters:
    ///   - key: A property's name, or names separated by dots. `nil` sorts the objects themselves.
    ///   - ascending: Whether smaller values come first.
    ///   - selector: `compare:`, `caseInsensitiveCompare:`, `localizedCompare:`, `localizedCaseInsensitiveCompare:` or
    ///     `localizedStandardCompare:`; `nil` is the first of them. With another one a fetch throws, and sorting in memory
    ///     stops the program.
    public init(key: String?, ascending: Bool, selector: Selector?) {
        self = KeySortDescriptor(sortKey: key, ascending: ascending, comparator: nil, selector: selector)
    }

    /// A descriptor that sorts by the value at a key or key path, comparing in its own way.
    ///
    /// Such an order is known in memory only: a store refuses it in a fetch.
    ///
    /// - Parameters:
    ///   - key: A property's name, or names separated by dots. `nil` sorts the objects themselves.
    ///   - ascending: Whether smaller values come first.
    ///   - cmptr: Compares two values; either may be an empty optional.
    public init(key: String?, ascending: Bool, comparator cmptr: @escaping Comparator) {
        self = KeySortDescriptor(sortKey: key, ascending: ascending, comparator: cmptr)
    }
}

extension NSSortDescriptor {
    /// The key or key path by which this descriptor sorts; `nil` if it was made from a Swift key path or sorts objects
    /// themselves.
    public var key: String? { (self as? KeySortDescriptor)?.sortKey }

    /// How this descriptor compares texts; `nil` if it was not made from a key, or with a comparator.
    public var selector: Selector? {
        guard let descriptor = self as? KeySortDescriptor, descriptor.customComparator == nil else { return nil }
        return descriptor.textSelector ?? Selector(TextComparison.codePoints.rawValue)
    }

    /// A descriptor that sorts by an optional property: `nil` before every value in ascending order.
    ///
    /// - Parameters:
    ///   - keyPath: The property.
    ///   - ascending: Whether smaller values come first.
    public convenience init<Root, Value>(keyPath: KeyPath<Root, Value?>, ascending: Bool) {
        self.init(keyPath: keyPath, ascending: ascending) { SortKey($0).compare(SortKey($1)) }
    }
}
