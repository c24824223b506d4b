package import Foundation

extension Sequence {
    /// The elements in the order of the descriptors: the first one decides, the next one among its equals, and so on.
    ///
    /// The sort is stable. Values are read by key once per element, not once per comparison.
    package func sorted(by descriptors: [NSSortDescriptor]) -> [Element] {
        guard !descriptors.isEmpty else { return Array(self) }
        let order = DescriptorOrder(descriptors)
        let elements = Array(self)
        let keys = elements.map { order.keys(of: $0) }
        // The standard library's sort happens to be stable but doesn't promise it, so the position decides at the end.
        let positions = elements.indices.sorted { left, right in
            switch order.compare(elements[left], keys[left], elements[right], keys[right]) {
            case .orderedAscending: true
            case .orderedDescending: false
            case .orderedSame: left < right
            }
        }
        return positions.map { elements[$0] }
    }
}
