import Foundation
import TestSupport
import Testing

@Suite("Test support")
struct TestSupportTests {
    @Test("Fixtures are found beside the package", .enabled(if: Fixtures.isAvailable))
    func fixtures() {
        #expect(Fixtures.files(below: Fixtures.stores) { $0 == "model.json" }.count >= 15)
        #expect(Fixtures.files(below: Fixtures.models) { $0 == ".xccurrentversion" }.count >= 70)
    }

    @Test("A temporary folder goes with its object")
    func temporaryFolder() throws {
        var folder: TemporaryFolder? = try TemporaryFolder()
        let file = try #require(folder).write("text", to: "a/b.txt")
        #expect(try String(contentsOf: file, encoding: .utf8) == "text")
        folder = nil
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("A process's status and outputs come back")
    func process() throws {
        let outcome = try runProcess("sh", ["-c", "echo out; echo err >&2; exit 3"])
        #expect(outcome.status == 3)
        #expect(outcome.text == "out\n")
        #expect(outcome.errorText == "err\n")
    }

    @Test("The random generator gives the published sequence")
    func splitMix() {
        // First outputs for seed 1234567, as published with the algorithm's reference code.
        var generator = SeededGenerator(seed: 1_234_567)
        #expect(
            (0..<3).map { _ in generator.next() } == [
                6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423,
            ])
    }
}
