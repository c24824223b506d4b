/// The values of an object of 64 attributes.
package struct SheetValues {
    package static let integerCount = 40
    package static let doubleCount = 12
    package static let textCount = 12

    package let integers: [Int64]
    package let doubles: [Double]
    package let texts: [String]
}

/// The objects of the workloads with rarer kinds of values and relationships, made from a fixed seed.
package struct VarietyData {
    package let sheets: [SheetValues]
    package let letters: [String]
    /// How many items with a unique key the file has; the workload brings twice as many.
    package let items: Int
    package let posts: Int
    package let tags: Int
    package let tracks: Int

    /// How often the workload inserts into the ordered list.
    package static let orderedInsertions = 10

    package init(size: DatasetSize) {
        var random = SplitMix64(seed: 64)
        sheets = (0..<size.movies / 10).map { _ in Self.sheet(&random) }
        letters = (0..<size.movies / 10).map { _ in Dataset.text(1000...1000, &random) }
        items = size.movies / 2
        posts = size.movies / 5
        tags = max(2, size.movies / 200)
        tracks = size.movies / 10
    }

    private static func sheet(_ random: inout SplitMix64) -> SheetValues {
        SheetValues(
            integers: (0..<SheetValues.integerCount).map { _ in .random(in: 0...1_000_000, using: &random) },
            doubles: (0..<SheetValues.doubleCount).map { _ in Double(Int.random(in: 0...1_000_000, using: &random)) / 8 },
            texts: (0..<SheetValues.textCount).map { _ in Dataset.text(4...24, &random) })
    }
}
