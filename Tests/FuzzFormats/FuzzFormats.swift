import Foundation
import PredicateFuzz
import TestSupport

/// The random format strings of the tests, as many as an optimised build has time for: `fuzz-formats 1000000`. See `Fuzz` for the seed.
@main struct FuzzFormats {
    /// Always as many, so that a seed gives the same strings on every machine.
    private static let partCount = 16

    static func main() async throws {
        let count = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 1_000_000
        var random = Fuzz.random("fuzz-formats")
        let seeds = (0..<partCount).map { _ in random.next() }
        let (read, refused) = try await withThrowingTaskGroup(of: (Int, Int).self) { group in
            for (part, seed) in seeds.enumerated() {
                let share = count * (part + 1) / partCount - count * part / partCount
                group.addTask {
                    var fuzz = FormatFuzz(random: SeededGenerator(seed: seed))
                    try fuzz.run(share)
                    return (fuzz.readCount, fuzz.refusedCount)
                }
            }
            var sum = (read: 0, refused: 0)
            for try await (read, refused) in group { sum = (sum.read + read, sum.refused + refused) }
            return sum
        }
        print("fuzz-formats: \(count) strings: \(read) read, \(refused) refused")
    }
}
