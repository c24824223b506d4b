import Foundation
package import SeededRandom

/// How much the random tests do, and with which numbers.
///
/// Every run does the same, so that a change is not refused for what an earlier one brought in. `OPENCOREDATA_FUZZ_SEED=random` looks
/// for new faults and prints the seed, with which `OPENCOREDATA_FUZZ_SEED` repeats the run. `OPENCOREDATA_FUZZ_COUNT` replaces the
/// usual number of cases.
package enum Fuzz {
    package static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["OPENCOREDATA_FUZZ_COUNT"].flatMap { Int($0) } ?? usual
    }

    package static func random(_ name: String) -> SeededGenerator { SeededGenerator(seed: seed(name)) }

    /// The seed of a test, which is printed.
    package static func seed(_ name: String) -> UInt64 {
        let wanted = ProcessInfo.processInfo.environment["OPENCOREDATA_FUZZ_SEED"]
        let seed = wanted == "random" ? UInt64.random(in: 0...UInt64.max) : wanted.flatMap { UInt64($0) } ?? usualSeed(name)
        print("\(name): seed \(seed)")
        return seed
    }

    // FNV-1a: Swift's own hashes differ from run to run.
    private static func usualSeed(_ name: String) -> UInt64 {
        name.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}
