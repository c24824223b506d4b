import DataModel
import Foundation
import Storage
import TestSupport
import Testing

@testable import SQLiteStorage

@Suite("Stores that Apple's framework wrote", .enabled(if: Fixtures.isAvailable))
struct FixtureStoreTests {
    private func open(
        _ fixture: ModeledFixture, _ url: URL, _ options: StoreSettings = StoreSettings()
    ) throws -> (engine: SQLiteEngine, layout: ModelLayout) {
        let model = try fixture.model()
        let layout = ModelLayout(model)
        return (try SQLiteEngine(url: url, model: model, layout: layout, options: options), layout)
    }

    @Test("Every object, attribute and relationship is what an independent reader finds", arguments: ModeledFixture.all)
    func readsEverything(_ fixture: ModeledFixture) throws {
        let folder = try TemporaryFolder()
        let (engine, layout) = try open(fixture, folder.copyStore(fixture.store))
        defer { engine.close() }
        let golden = try fixture.golden()
        var comparison = GoldenComparison(engine, layout)
        try comparison.compare(golden)
        #expect(comparison.differences.isEmpty)
        let uuid = (golden["metadata"] as? [String: Any])?["uuid"] as? String
        #expect(engine.identifier == uuid)
        #expect(engine.metadata[StoreMetadata.identifierKey] as? String == uuid)
        #expect(engine.metadata[StoreMetadata.typeKey] as? String == "SQLite")
    }

    @Test("Opening and reading changes nothing in the file", arguments: ModeledFixture.all)
    func readingLeavesFileAlone(_ fixture: ModeledFixture) throws {
        let folder = try TemporaryFolder()
        let url = try folder.copyStore(fixture.store)
        let hasLog = FileManager.default.fileExists(atPath: url.path + "-wal")
        let before = try Data(contentsOf: url)
        var options = StoreSettings()
        options.isReadOnly = true
        let (engine, layout) = try open(fixture, url, options)
        var comparison = GoldenComparison(engine, layout)
        try comparison.compare(fixture.golden())
        #expect(comparison.differences.isEmpty)
        engine.close()
        #expect(try Data(contentsOf: url) == before)
        if !hasLog {
            let (second, _) = try open(fixture, url)
            second.close()
            #expect(try Data(contentsOf: url) == before)
        }
    }
}
