import Foundation
import GraphTestSupport
import Testing

/// Replay one seed with OPENCOREDATA_SEED, and run more of them with OPENCOREDATA_SEEDS, from OPENCOREDATA_FIRST_SEED on.
@Suite("Random programs")
struct RandomProgramTests {
    /// The seeds: that of OPENCOREDATA_SEED, or as many as OPENCOREDATA_SEEDS says, or a few.
    static func seeds(_ count: UInt64) -> [UInt64] {
        let environment = ProcessInfo.processInfo.environment
        if let seed = environment["OPENCOREDATA_SEED"].flatMap(UInt64.init) { return [seed] }
        let first = environment["OPENCOREDATA_FIRST_SEED"].flatMap(UInt64.init) ?? 1
        return Array(first..<first + (environment["OPENCOREDATA_SEEDS"].flatMap(UInt64.init) ?? count))
    }

    static let seeds = seeds(8)

    /// Most programs run in memory: a file's saves wait for the disk.
    private static func kind(_ seed: UInt64) -> StackKind {
        switch seed % 8 {
        case 0, 1: .sqlite
        case 2: .xml
        case 3: .binary
        default: .inMemory
        }
    }

    @Test("a context is at each step what the reference graph says", arguments: seeds(200))
    func program(_ seed: UInt64) throws {
        let problem = try RandomProgram(Self.kind(seed), seed: seed).run(seed % 50 == 0 ? 400 : 60)
        #expect(problem == nil, "OPENCOREDATA_SEED=\(seed)")
    }

    @Test("CTX-40…55: parents and children, two deep, are at each step what the reference graphs say", arguments: seeds(200))
    func family(_ seed: UInt64) throws {
        let problem = try RandomProgram(Self.kind(seed), seed: seed, depth: 1 + Int(seed / 2 % 2)).run(seed % 50 == 0 ? 400 : 60)
        #expect(problem == nil, "OPENCOREDATA_SEED=\(seed)")
    }
}
