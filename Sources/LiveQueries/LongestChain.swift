/// Tells which elements belong to a longest subsequence that is in order. It costs O(n log n), or O(n) if all elements are in
/// order.
///
/// - Parameter isInOrder: Whether the first of two elements may be before the second. It is true for equal elements.
func longestChain<T>(_ elements: [T], _ isInOrder: (T, T) -> Bool) -> [Bool] {
    var chain = [Bool](repeating: true, count: elements.count)
    guard elements.indices.dropFirst().contains(where: { !isInOrder(elements[$0 - 1], elements[$0]) }) else { return chain }
    /// The last elements of the best chains of each length. For each element, the element before it in its chain is kept too.
    var ends: [Int] = []
    var previous = [Int](repeating: -1, count: elements.count)
    for index in elements.indices {
        var low = 0
        var high = ends.count
        while low < high {
            let middle = (low + high) / 2
            if isInOrder(elements[ends[middle]], elements[index]) { low = middle + 1 } else { high = middle }
        }
        if low > 0 { previous[index] = ends[low - 1] }
        if low == ends.count { ends.append(index) } else { ends[low] = index }
    }
    chain = [Bool](repeating: false, count: elements.count)
    var index = ends.last ?? -1
    while index >= 0 {
        chain[index] = true
        index = previous[index]
    }
    return chain
}
