package import Foundation

/// The order of some sort descriptors: the first one decides, the next one among its equals, and so on.
///
/// The values by which an element is sorted are read once, as its keys, and compared as often as needed.
package struct DescriptorOrder {
    private let criteria: [SortCriterion]

    package init(_ descriptors: [NSSortDescriptor]) { criteria = descriptors.map(SortCriterion.init) }

    /// What the element is sorted by.
    package func keys(of element: Any) -> [SortKey] { criteria.map { $0.key(of: element) } }

    /// Compares two elements by their keys.
    package func compare(_ left: Any, _ leftKeys: [SortKey], _ right: Any, _ rightKeys: [SortKey]) -> ComparisonResult {
        for (index, criterion) in criteria.enumerated() {
            let result = criterion.compare(left, leftKeys[index], right, rightKeys[index])
            if result != .orderedSame { return result }
        }
        return .orderedSame
    }
}

/// One sort descriptor, with the values of its elements read in advance where that is possible.
private struct SortCriterion {
    let descriptor: NSSortDescriptor
    let keyed: KeySortDescriptor?
    let textComparison: TextComparison

    init(_ descriptor: NSSortDescriptor) {
        self.descriptor = descriptor
        keyed = (descriptor as? KeySortDescriptor).flatMap { $0.customComparator == nil ? $0 : nil }
        textComparison = keyed?.textComparison ?? .codePoints
    }

    func key(of element: Any) -> SortKey {
        if let keyed { return SortKey(keyed.value(of: element)) }
        return .null
    }

    func compare(_ left: Any, _ leftKey: SortKey, _ right: Any, _ rightKey: SortKey) -> ComparisonResult {
        if keyed != nil {
            let result = leftKey.compare(rightKey, textComparison)
            return descriptor.ascending ? result : result.reversed
        }
        return descriptor.compare(left, to: right)
    }
}
