import Foundation

extension Sequence {
    /// The elements in the order of the descriptors: the first one decides, the next one among its equals, and so on.
    ///
    /// The sort is stable. Values are read by key once per element, not once per comparison.
    package func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
        guard !descriptors.isEmpty else { return Array(self) }
        let criteria = descriptors.map(SortCriterion.init)
        let elements = Array(self)
        let keys = elements.map { element in criteria.map { $0.key(of: element) } }
        // The standard library's sort happens to be stable but doesn't promise it, so the position decides at the end.
        let order = elements.indices.sorted { left, right in
            for (index, criterion) in criteria.enumerated() {
                switch criterion.compare(elements[left], keys[left][index], elements[right], keys[right][index]) {
                case .orderedAscending: return true
                case .orderedDescending: return false
                case .orderedSame: continue
                }
            }
            return left < right
        }
        return order.map { elements[$0] }
    }
}

/// One sort descriptor, with the values of its elements read in advance where that is possible.
private struct SortCriterion {
    let descriptor: NSSortDescriptor
    #if !canImport(Darwin)
        let keyed: KeySortDescriptor?
        let textComparison: TextComparison
    #endif

    init(_ descriptor: NSSortDescriptor) {
        self.descriptor = descriptor
        #if !canImport(Darwin)
            keyed = (descriptor as? KeySortDescriptor).flatMap { $0.customComparator == nil ? $0 : nil }
            textComparison = keyed?.textComparison ?? .codePoints
        #endif
    }

    func key(of element: Any) -> SortKey {
        #if !canImport(Darwin)
            if let keyed { return SortKey(keyed.value(of: element)) }
        #endif
        return .null
    }

    func compare(_ left: Any, _ leftKey: SortKey, _ right: Any, _ rightKey: SortKey) -> ComparisonResult {
        #if !canImport(Darwin)
            if keyed != nil {
                let result = leftKey.compare(rightKey, textComparison)
                return descriptor.ascending ? result : result.reversed
            }
        #endif
        return descriptor.compare(left, to: right)
    }
}
