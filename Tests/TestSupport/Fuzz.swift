import Foundation
import SeededRandom

/// How much the random tests do: OPENCOREDATA_FUZZ_COUNT overrides the usual number, OPENCOREDATA_FUZZ_SEED the random seed, which is printed.
package enum Fuzz {
    package static func count(_ usual: Int) -> Int {
        ProcessInfo.processInfo.environment["OPENCOREDATA_FUZZ_COUNT"].flatMap { Int($0) } ?? usual
    }

    package static func random(_ name: String) -> SeededGenerator {
        let given = ProcessInfo.processInfo.environment["OPENCOREDATA_FUZZ_SEED"].flatMap { UInt64($0) }
        let seed = given ?? UInt64.random(in: 0...UInt64.max)
        print("\(name): seed \(seed)")
        return SeededGenerator(seed: seed)
    }
}
