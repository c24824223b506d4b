/// How much data a run works on. The figures of the README are those of the standard size; others show whether costs stay linear.
package struct DatasetSize: Sendable {
    /// The number of movies; the other numbers follow from it.
    package let movies: Int

    package static let standard = DatasetSize(movies: 100_000)

    package init(movies: Int) { self.movies = movies }

    package var people: Int { max(1, movies / 20) }
    /// Objects read one by one (W3).
    package var faults: Int { movies / 5 }
    /// Objects changed (W5): the first half.
    package var updates: Int { movies / 2 }
    /// Objects deleted (W6): every fifth one.
    package var deletes: Int { movies / 5 }

    /// Objects of a save that ten contexts merge.
    package var merged: Int { max(1, movies / 10) }
    /// Objects of the fetch whose number is not kind to tables: just above three quarters of a power of two.
    package var odd: Int { movies * 98_305 / 100_000 }

    /// The keys of W3, in random order, each once.
    package var faultKeys: [Int64] {
        var random = SplitMix64(seed: 7)
        return Array((1...Int64(movies)).shuffled(using: &random).prefix(faults))
    }
}
