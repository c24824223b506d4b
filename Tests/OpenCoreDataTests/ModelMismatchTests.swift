import OpenCoreData
import TestSupport
import Testing

@Suite("B48, STO-70: a model that does not match the store: error 134100 names the entities, and the file stays as it is")
struct ModelMismatchTests {
    private struct Case: CustomStringConvertible, Sendable {
        let description: String
        let entities: [String]
        let texts: [String]
        let change: @Sendable (NSManagedObjectModel) -> Void
    }

    private static func attribute(_ name: String, _ type: NSAttributeDescription.AttributeType) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.type = type
        return attribute
    }

    /// The model of `Reel` and `Frame` without the classes.
    private static func untypedModel() -> NSManagedObjectModel {
        let reel = NSEntityDescription()
        reel.name = "Reel"
        let frame = NSEntityDescription()
        frame.name = "Frame"
        let frames = NSRelationshipDescription()
        frames.name = "frames"
        frames.destinationEntity = frame
        frames.deleteRule = .cascadeDeleteRule
        let owner = NSRelationshipDescription()
        owner.name = "reel"
        owner.destinationEntity = reel
        (owner.minCount, owner.maxCount) = (1, 1)
        owner.inverseRelationship = frames
        frames.inverseRelationship = owner
        reel.properties = [attribute("label", .string), attribute("length", .integer32), frames]
        frame.properties = [attribute("number", .integer64), attribute("caption", .string), owner]
        for name in ["label", "number", "caption", "reel"] {
            for property in reel.properties + frame.properties where property.name == name { property.isOptional = false }
        }
        let model = NSManagedObjectModel()
        model.entities = [reel, frame]
        return model
    }

    @Test("The untyped model fits, so that each of the other tests tests one difference")
    func untypedModelFits() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let session = try StoreSession(url, Self.untypedModel())
        #expect(try session.contents().objects.count == 123)
        try session.close()
    }

    private static let cases = [
        Case(description: "an entity too many in the model", entities: ["Poster"], texts: ["the store has no entity “Poster”"]) {
            model in
            let entity = NSEntityDescription()
            entity.name = "Poster"
            model.entities.append(entity)
        },
        Case(description: "an entity too few", entities: ["Frame"], texts: ["the model has no entity “Frame”"]) { model in
            model.entitiesByName["Reel"]?.properties.removeAll { $0.name == "frames" }
            model.entities.removeAll { $0.name == "Frame" }
        },
        Case(description: "an attribute more", entities: ["Reel"], texts: ["the store has no column ZREEL.ZYEAR for “Reel.year”"])
        { model in
            model.entitiesByName["Reel"]?.properties.append(attribute("year", .integer16))
        },
        Case(description: "an attribute less", entities: ["Frame"], texts: ["Frame", "ZCAPTION"]) { model in
            model.entitiesByName["Frame"]?.properties.removeAll { $0.name == "caption" }
        },
        Case(
            description: "other types in two entities", entities: ["Frame", "Reel"],
            texts: [
                "“Reel.label” is VARCHAR in the store and TIMESTAMP in the model",
                "“Frame.number” is INTEGER in the store and VARCHAR in the model",
            ]
        ) { model in
            model.entitiesByName["Reel"]?.attributesByName["label"]?.type = .date
            model.entitiesByName["Frame"]?.attributesByName["number"]?.type = .string
        },
        Case(description: "a to-many that is ordered now", entities: ["Reel"], texts: ["Z_FOK_REEL"]) { model in
            model.entitiesByName["Reel"]?.relationshipsByName["frames"]?.isOrdered = true
        },
        Case(description: "a to-one that is to-many now", entities: ["Frame"], texts: ["Frame"]) { model in
            model.entitiesByName["Frame"]?.relationshipsByName["reel"]?.maxCount = 0
        },
        Case(
            description: "a parent that the store does not know", entities: ["Frame"],
            texts: ["the parent of “Frame” is none in the store and “Reel” in the model"]
        ) {
            model in
            guard let frame = model.entitiesByName["Frame"], let reel = model.entitiesByName["Reel"] else { return }
            frame.properties.removeAll { $0.name != "caption" }
            reel.properties.removeAll { $0.name == "frames" }
            reel.subentities = [frame]
        },
    ]

    @Test("Each difference is named", arguments: cases)
    private func differences(_ difference: Case) throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let before = try FolderContents(folder.url)
        let model = Self.untypedModel()
        difference.change(model)
        for isReadOnly in [false, true] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let options = [NSReadOnlyPersistentStoreOption: NSNumber(value: isReadOnly)]
            let thrown = #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
            }
            let error = try #require(thrown)
            #expect(error.domain == NSCocoaErrorDomain)
            #expect(error.code == NSPersistentStoreIncompatibleVersionHashError)
            #expect(error.file == url.path)
            for text in difference.texts { #expect(error.localizedDescription.contains(text), "\(error.localizedDescription)") }
            let named = error.userInfo["entities"] as? [String] ?? []
            #expect(difference.entities.allSatisfy(named.contains), "\(named)")
            // API-225
            #expect((error.userInfo["metadata"] as? [String: Any])?[NSStoreUUIDKey] as? String != nil)
            #expect((error.userInfo["reason"] as? String)?.contains("incompatible") == true)
            #expect(coordinator.persistentStores == [])
            // A reader leaves SQLite's empty log and its index behind, which it has no right to remove.
            for suffix in ["-wal", "-shm"] where isReadOnly { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            #expect(try FolderContents(folder.url) == before)
        }
        // The right model opens it afterwards.
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        #expect(try container.newBackgroundContext().run { try $0.count(of: Frame.self) } == 120)
        try Reels.close(container)
    }

    @Test(
        "Another version's model does not open a store that Apple's framework wrote", .enabled(if: Fixtures.isAvailable),
        arguments: [
            ("ddg-bookmarks-v1", "ddg-bookmarks-v5", ["BookmarkEntity"]),
            ("ddg-bookmarks-v5", "ddg-bookmarks-v3", ["BookmarkEntity"]),
            ("cdp-samplemodel-v1", "cdp-samplemodel-v2", ["Car"]), ("srg-userdata-v1", "srg-userdata-v5", ["User"]),
            ("loopkit-v1", "pulse-logs", ["PumpEvent", "LoggerMessageEntity"]),
        ])
    func otherVersions(store: String, model: String, entities: [String]) throws {
        let folder = try TemporaryFolder()
        let url = try folder.copyStore(StoreCase.named(store).fixture.store)
        let before = try FolderContents(folder.url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try StoreCase.named(model).model())
        let error = #expect(throws: NSError.self) { try coordinator.addPersistentStore(type: .sqlite, at: url) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        let named = error?.userInfo["entities"] as? [String] ?? []
        let message = error?.localizedDescription ?? ""
        for entity in entities { #expect(named.contains(entity) && message.contains("“\(entity)"), "\(named) \(message)") }
        // SQLite's index of the log, which others may be using, is the only thing that may be new.
        try? FileManager.default.removeItem(atPath: url.path + "-shm")
        #expect(try FolderContents(folder.url) == before)
        #expect(coordinator.persistentStores == [])
    }
}
