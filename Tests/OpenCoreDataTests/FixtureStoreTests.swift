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
        let golden = try store.golden()
        #expect(session.coordinator.persistentStores.first?.identifier == golden.metadata.uuid)
        expectSame(try session.contents(), try StoreContents(golden, model))
        try session.close()
    }

    @Test(
        "One object of each entity changed, one inserted, one deleted, saved and opened again: an independent checker has nothing to say",
        .enabled(if: Fixtures.hasOracles), arguments: StoreCase.each)
    func changesAndSaves(_ store: StoreCase) throws {
        let folders = (before: try TemporaryFolder(), after: try TemporaryFolder())
        let before = try folders.before.copyStore(store.fixture.store)
        let after = try folders.after.copyStore(store.fixture.store)
        let model = try store.model()
        let session = try StoreSession(after, model)
        let edits = StoreEdits(session.context, model)
        try session.context.run { _ in try edits.run() }
        #expect(edits.undeletable.isEmpty)
        try session.close()

        var oracle = StoreOracle(store.oracleArguments)
        oracle.expectRoundtrip(before, after, saves: edits.saves)
        oracle.verify(after)
        let rawModel = try store.model(rawTransformables: true)
        let dumped = try StoreContents(oracle.dump(after), rawModel)
        let reopened = try StoreSession(after, rawModel)
        expectSame(try reopened.contents(), dumped)
        try reopened.close()
        try expectArchives(edits, in: StoreSession(after, store.model()))
        expectChanges(edits, from: try StoreContents(store.golden(), rawModel), to: dumped)
    }

    /// Expects that archived values come back as what was set; as bytes they can't be foretold.
    private func expectArchives(_ edits: StoreEdits, in session: StoreSession) throws {
        try session.context.run { context in
            for (id, name) in edits.archives {
                let url = try #require(URL(string: id))
                let object = try context.existingObject(
                    with: try #require(session.coordinator.managedObjectID(forURIRepresentation: url)))
                #expect(object.value(forKey: name) as? NSDictionary == NewValues.archived, "\(id).\(name)")
            }
        }
        try session.close()
    }

    /// Expects that what was set is there, that everything else is as it was, and that versions say how often an object was saved.
    private func expectChanges(_ edits: StoreEdits, from before: StoreContents, to after: StoreContents) {
        for (id, values) in edits.expected {
            for (name, value) in values {
                let found = after.objects[id]?.attributes[name]
                #expect(
                    found?.isSame(as: value) == true,
                    "\(id).\(name) was set to \(value) and is \(found?.description ?? "missing")")
            }
        }
        let ids = (before: Set(before.objects.keys), after: Set(after.objects.keys))
        #expect(ids.before.subtracting(ids.after) == edits.deletedIDs.subtracting(edits.insertedIDs))
        #expect(ids.after.subtracting(ids.before) == edits.insertedIDs.subtracting(edits.deletedIDs))
        for (id, object) in after.objects {
            let saves = edits.updates[id] ?? 0
            #expect(object.version == (before.objects[id]?.version ?? 1) + saves, "\(id)")
            if let old = before.objects[id], saves == 0 { #expect(object.differences(from: old) == [], "\(id)") }
        }
    }
}
