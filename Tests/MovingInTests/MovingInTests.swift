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
        "accessors", "batches", "container", "coordinator", "editor", "fetching", "history", "importer", "list", "managed",
        "model",
        "observer", "repository", "saves", "search", "stack", "statistics", "stores", "template", "transformables",
        "transformer", "undo", "validation",
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

    /// Models of other projects, simple ones and hard ones.
    static let models = [
        "moviehunter", "hackingwithswift", "shoppinglist", "kodeco", "bookmigration", "maccy", "jsqcoredatakit", "groot",
        "fatbobman-blogcodes", "apple-cloudkit-sample", "loopkit", "nova-wallet", "objcio-moody", "coredataplus-alemar11",
        "duckduckgo-bsk", "swiftgen",
    ]

    @Test(
        "Objects of every entity of public models go through the app's own code", .enabled(if: Fixtures.isAvailable),
        arguments: models)
    func publicModels(origin: String) throws {
        let folder = Fixtures.models.appendingPathComponent(origin)
        let model = try #require(
            Fixtures.files(below: folder) { $0.hasSuffix(".xcdatamodeld") || $0.hasSuffix(".xcdatamodel") }.first)
        for mode in Mode.allCases {
            let outcome = try runProcess(mode.program, ["model", model.path])
            #expect(outcome.status == 0 && outcome.text == "model: right\n", "\(outcome.text) \(outcome.errorText)")
        }
    }
}
