/// The values of one movie: those of the eleven columns beside `Z_PK`, `Z_ENT` and `Z_OPT`, less the derived ones.
package struct MovieValues {
    package let year: Int32
    package let duration: Int64
    package let rating: Double
    package let userRating: Double?
    /// Seconds since 2001.
    package let released: Double
    package let imdbID: String
    package let title: String
    package let tagline: String
    package let isColor: Bool
    /// The director's place in `Dataset.people`, from 0.
    package let director: Int?
}

/// The movies and people that every contender works on, made from a fixed seed.
package struct Dataset {
    package let movies: [MovieValues]
    package let people: [String]

    package init(size: DatasetSize) {
        var random = SplitMix64(seed: 2026)
        people = (0..<size.people).map { _ in Self.text(10...30, &random) }
        movies = (0..<size.movies).map { _ in Self.movie(people: size.people, &random) }
    }

    private static func movie(people: Int, _ random: inout SplitMix64) -> MovieValues {
        MovieValues(
            year: .random(in: 1900...2026, using: &random), duration: .random(in: 60...20_000, using: &random),
            rating: Double(Int.random(in: 0...10_000, using: &random)) / 1000,
            userRating: Int.random(in: 0..<3, using: &random) == 0 ? nil : Double(Int.random(in: 0...100, using: &random)) / 10,
            released: Double(Int.random(in: -3_000_000_000...800_000_000, using: &random)) / 4,
            imdbID: text(8...14, &random), title: text(8...40, &random), tagline: text(20...40, &random),
            isColor: .random(using: &random),
            director: Int.random(in: 0..<10, using: &random) == 0 ? nil : Int.random(in: 0..<people, using: &random))
    }

    static func text(_ length: ClosedRange<Int>, _ random: inout SplitMix64) -> String {
        let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
        let bytes = (0..<Int.random(in: length, using: &random)).map { _ in UInt8.random(in: letters, using: &random) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
