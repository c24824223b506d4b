import Foundation
import Testing

/// Replay one seed with OPENCOREDATA_SEED, and run more of them with OPENCOREDATA_SEEDS.
@Suite("Random programs")
struct RandomProgramTests {
    /// The seeds: that of OPENCOREDATA_SEED, or the number of OPENCOREDATA_SEEDS, or a few.
    static func seeds(_ count: UInt64) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["OPENCOREDATA_SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(1...(environment["OPENCOREDATA_SEEDS"].flatMap(UInt64.init) ?? count))
    }

    static let seeds = seeds(8)

    @Test("a context is at each step what the reference graph says", arguments: StoreKind.allCases, seeds(100))
    func program(_ kind: StoreKind, _ seed: UInt64) throws {
        let problem = try RandomProgram(kind, seed: seed).run(seed % 25 == 0 ? 400 : 60)
        #expect(problem == nil, "OPENCOREDATA_SEED=\(seed), \(kind)")
    }

    @Test(
        "CTX-40…55: parents and children, two deep, are at each step what the reference graphs say",
        arguments: StoreKind.allCases,
        seeds(100))
    func family(_ kind: StoreKind, _ seed: UInt64) throws {
        let problem = try RandomProgram(kind, seed: seed, depth: 1 + Int(seed / 2 % 2)).run(seed % 25 == 0 ? 400 : 80)
        #expect(problem == nil, "OPENCOREDATA_SEED=\(seed), \(kind)")
    }
}
