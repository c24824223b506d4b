import OpenCoreData
import TestSupport
import Testing

@Suite("Stores that Apple's framework wrote, as objects", .enabled(if: Fixtures.isAvailable))
struct FixtureStoreTests {
    @Test("Identifiers, counts, attributes and relationships are what an independent reader finds", arguments: StoreCase.all)
    func readsEverything(_ store: StoreCase) throws {
        let folder = try TemporaryFolder()
        let model = try store.model(rawTransformables: true)
        let session = try StoreSession(folder.copyStore(store.fixture.store), model)
        let golden = try StoreContents(dump: store.fixture.readDump(), model)
        #expect(try session.contents().differences(from: golden) == [])
        try session.close()
    }
}
