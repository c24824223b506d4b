import OpenCoreData
import TestSupport
import Testing

@Suite("Stores that Apple's framework wrote, changed as a whole", .enabled(if: Fixtures.hasOracles))
struct WholeStoreTests {
    @Test(
        "Every attribute and relationship of every object changed, saved and opened again; then some deleted, and then all",
        arguments: StoreCase.each)
    func changesAll(_ store: StoreCase) throws {
        let folders = try (
            before: TemporaryFolder(), changed: TemporaryFolder(), thinned: TemporaryFolder(), work: TemporaryFolder()
        )
        let before = try folders.before.copyStore(store.fixture.store)
        let work = try folders.work.copyStore(store.fixture.store)
        let model = try store.model()
        let rawModel = try store.model(rawTransformables: true)

        var session = try StoreSession(work, model)
        let changes = try session.context.run { try WholeStoreChanges($0, model) }
        try session.context.run { _ in try changes.change() }
        let expected = changes.expected
        try session.close()
        let changed = try folders.changed.copyStore(work)
        let changeSaves = changes.saves

        session = try StoreSession(work, model)
        let deletions = try session.context.run { try WholeStoreChanges($0, model) }
        let undeletable = try session.context.run { _ in try deletions.deleteSome() }
        #expect(undeletable.isEmpty, "\(undeletable.joined(separator: "\n").prefix(1000))")
        try session.close()
        let thinned = try folders.thinned.copyStore(work)
        let deletionSaves = deletions.saves
        session = try StoreSession(work, model)
        try session.context.run { try WholeStoreChanges($0, model).deleteAll() }
        try session.close()

        var oracle = StoreOracle(store.oracleArguments)
        oracle.expectRoundtrip(before, changed, saves: changeSaves)
        oracle.expectRoundtrip(changed, thinned, saves: max(deletionSaves, 1))
        oracle.expectRoundtrip(thinned, work, saves: 1)
        for url in [changed, thinned, work] { oracle.verify(url) }
        let dumps = try oracle.dumps([changed, thinned, work]).map { try StoreContents($0, rawModel) }
        let original = try StoreContents(store.golden(), rawModel)

        for (url, dump) in zip([changed, thinned], dumps) {
            let reopened = try StoreSession(url, rawModel)
            expectSame(try reopened.contents(), dump)
            try reopened.close()
        }
        #expect(Set(dumps[0].objects.keys) == Set(original.objects.keys))
        #expect(expected.count == original.objects.count)
        for (id, values) in expected {
            for (name, value) in values {
                let found = dumps[0].objects[id]?.attributes[name]
                #expect(found?.isSame(as: value) == true, "\(id).\(name) is \(found?.description ?? "missing"), not \(value)")
            }
        }
        #expect(original.objects.isEmpty || dumps[1].objects.count < dumps[0].objects.count)
        #expect(dumps[2].objects.isEmpty)
    }
}
