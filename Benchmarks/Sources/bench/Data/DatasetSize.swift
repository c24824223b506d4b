/// How much data a run works on. The figures of the README are those of the standard size; others show whether costs stay linear.
struct DatasetSize {
    /// The number of movies; the other numbers follow from it.
    let movies: Int

    static let standard = DatasetSize(movies: 100_000)

    var people: Int { max(1, movies / 20) }
    /// Objects read one by one (W3).
    var faults: Int { movies / 5 }
    /// Objects changed (W5): the first half.
    var updates: Int { movies / 2 }
    /// Objects deleted (W6): every fifth one.
    var deletes: Int { movies / 5 }

    /// The keys of W3, in random order, each once.
    var faultKeys: [Int64] {
        var random = SplitMix64(seed: 7)
        return Array((1...Int64(movies)).shuffled(using: &random).prefix(faults))
    }
}
