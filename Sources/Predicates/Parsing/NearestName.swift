/// Finds the name that was probably meant.
package enum NearestName {
    /// The candidate that differs least from `name`, or nil if all differ too much.
    package static func suggestion(for name: String, among candidates: some Sequence<String>) -> String? {
        let target = Array(name.lowercased().unicodeScalars)
        let limit = max(1, target.count / 3)
        var best: (name: String, distance: Int)?
        for candidate in candidates where candidate != name {
            let distance = distance(
                target, Array(candidate.lowercased().unicodeScalars), atMost: best.map { $0.distance - 1 } ?? limit)
            if let distance { best = (candidate, distance) }
        }
        return best?.name
    }

    /// How many insertions, removals, replacements and exchanges of neighbours turn one text into the other; nil if more than the
    /// limit.
    private static func distance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar], atMost limit: Int) -> Int? {
        guard limit >= 0, abs(a.count - b.count) <= limit else { return nil }
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for (i, left) in a.enumerated() {
            var row = [i + 1]
            for (j, right) in b.enumerated() {
                var least = min(last[j] + (left == right ? 0 : 1), row[j] + 1, last[j + 1] + 1)
                if i > 0, j > 0, left == b[j - 1], a[i - 1] == right { least = min(least, beforeLast[j - 1] + 1) }
                row.append(least)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count] <= limit ? last[b.count] : nil
    }
}
