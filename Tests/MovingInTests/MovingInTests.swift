import Foundation
import TestSupport
import Testing

@Suite("Sources in the style of Apple's templates and documentation and of the best-known books, without an edit")
struct MovingInTests {
    /// The same sources, compiled in each mode of the language.
    enum Mode: String, CaseIterable {
        case swift5 = "moving-in-swift5"
        case swift6 = "moving-in-swift6"

        var program: String {
            Bundle.main.bundleURL.appendingPathComponent(rawValue).path
        }
    }

    static let samples = [
        "accessors", "batches", "container", "coordinator", "editor", "fetching", "importer", "list", "managed", "repository",
        "saves",
        "stack",
        "statistics", "template", "transformer", "undo", "validation",
    ]

    @Test("Each sample runs and does what it should", arguments: Mode.allCases, samples)
    func run(mode: Mode, sample: String) throws {
        let outcome = try runProcess(mode.program, [sample])
        #expect(outcome.status == 0 && outcome.text == "\(sample): right\n", "\(outcome.text) \(outcome.errorText)")
    }

    @Test("All samples are run", arguments: Mode.allCases)
    func complete(mode: Mode) throws {
        let outcome = try runProcess(mode.program, [])
        #expect(outcome.status == 0 && outcome.text.split(separator: "\n").map(String.init) == Self.samples)
    }
}
