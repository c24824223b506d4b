import Foundation
import Testing

@Suite("Random programs")
struct RandomProgramTests {
    /// The seeds: that of OPENCOREDATA_SEED, or the number of OPENCOREDATA_SEEDS, or a few.
    static let seeds: [UInt64] = {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["OPENCOREDATA_SEED"].flatMap(UInt64.init) { return [seed] }
        return Array(1...(environment["OPENCOREDATA_SEEDS"].flatMap(UInt64.init) ?? 8))
    }()

    @Test("a context is at each step what the reference graph says", arguments: StoreKind.allCases, seeds)
    func program(_ kind: StoreKind, _ seed: UInt64) throws {
        let problem = try RandomProgram(kind, seed: seed).run(400)
        #expect(problem == nil, "OPENCOREDATA_SEED=\(seed), \(kind)")
    }
}
