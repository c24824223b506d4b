/// The numbers that order the members of one owner.
enum OrderKeys {
    static let first: Int64 = 2048
    static let step: Int64 = 1024

    /// In SQL, the key behind the last one in a column of the rows `b`.
    static func next(_ column: SQLName) -> String {
        let last = "ifnull(max(b.\(column)), \(first - step))"
        let damage = "the order of members (\(column)) has a place that is too large or is not a number"
        return "CASE WHEN \(last) < \(Int64.max / 2) THEN \(last) + \(step) ELSE \(StoreFunctions.damaged)('\(damage)') END"
    }

    /// The keys for members in a new order, given those they have now: as few of them change as possible.
    ///
    /// Members that already stand in the right order among each other keep their keys (a longest increasing run), others get one
    /// between their neighbours', at the end 1024 more than the last. If there is no room between two of them, all get new keys.
    static func assign(_ current: [Int64?]) -> [Int64] {
        let kept = longestIncreasing(current)
        var result: [Int64] = []
        result.reserveCapacity(current.count)
        var position = 0
        while position < current.count {
            if kept.contains(position), let key = current[position] {
                result.append(key)
                position += 1
                continue
            }
            var end = position
            while end < current.count, !kept.contains(end) { end += 1 }
            let count = Int64(end - position)
            let last = result.last
            if end < current.count, let next = current[end] {
                let low = last ?? 0
                let gap = (next - low) / (count + 1)
                guard gap > 0 else { return renumbered(current.count) }
                for index in 1...count { result.append(low + gap * index) }
            } else {
                let low = last ?? first - step
                guard low <= Int64.max / 2 else { return renumbered(current.count) }
                for index in 1...count { result.append(low + step * index) }
            }
            position = end
        }
        return result
    }

    private static func renumbered(_ count: Int) -> [Int64] {
        (0..<count).map { first + step * Int64($0) }
    }

    /// The positions of a longest strictly increasing sequence of positive keys.
    private static func longestIncreasing(_ keys: [Int64?]) -> Set<Int> {
        // tails[n]: the position whose key is the smallest that ends a sequence of n + 1 keys.
        var tails: [Int] = []
        var previous = [Int](repeating: -1, count: keys.count)
        for (position, key) in keys.enumerated() {
            guard let key, key > 0 else { continue }
            var low = 0
            var high = tails.count
            while low < high {
                let middle = (low + high) / 2
                if let tail = keys[tails[middle]], tail < key { low = middle + 1 } else { high = middle }
            }
            if low > 0 { previous[position] = tails[low - 1] }
            if low == tails.count { tails.append(position) } else { tails[low] = position }
        }
        var result: Set<Int> = []
        var next = tails.last ?? -1
        while next >= 0 {
            result.insert(next)
            next = previous[next]
        }
        return result
    }
}
