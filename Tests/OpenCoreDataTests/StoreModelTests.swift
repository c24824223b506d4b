import OpenCoreData
import TestSupport
import Testing

@Suite("Which model a store is of")
struct StoreModelTests {
    private static func metadata(_ url: URL) throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    }

    private static func opens(_ url: URL, with model: NSManagedObjectModel) -> Bool {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let options = [NSReadOnlyPersistentStoreOption: true as NSNumber]
        let store = try? coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        return store != nil
    }

    @Test(
        "R32: for stores that Apple's framework wrote the answer is what opening them says, for their own and for every other model",
        .enabled(if: Fixtures.isAvailable), arguments: StoreCase.each)
    func appleStores(_ store: StoreCase) throws {
        let folder = try TemporaryFolder()
        let url = try folder.copyStore(store.fixture.store)
        let metadata = try Self.metadata(url)
        let own = try store.model()
        #expect(own.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        for other in StoreCase.each where other.name != store.name {
            let model = try other.model()
            let fits = model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            if fits { #expect(Self.opens(url, with: model), "\(other)") }
            if Set(model.entitiesByName.keys) != Set(own.entitiesByName.keys) { #expect(!fits, "\(other)") }
        }
        let candidates = try StoreCase.each.filter { $0.name != store.name }.map { try $0.model() } + [own]
        let found = try #require(NSManagedObjectModel(byMerging: candidates, forStoreMetadata: metadata))
        #expect(Set(found.entitiesByName.keys) == Set(own.entitiesByName.keys) && Self.opens(url, with: found))
        let changed = try #require(own.copy() as? NSManagedObjectModel)
        let attribute = NSAttributeDescription()
        attribute.name = "anotherAttribute"
        attribute.type = .string
        changed.entities.first { $0.superentity == nil }?.properties.append(attribute)
        #expect(!changed.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(NSManagedObjectModel(byMerging: [changed], forStoreMetadata: metadata) == nil)
    }

    @Test("R32: the metadata of an open store say it too, and nothing of it is written", .enabled(if: Fixtures.isAvailable))
    func openStore() throws {
        let folder = try TemporaryFolder()
        let store = try #require(StoreCase.each.first)
        let url = try folder.copyStore(store.fixture.store)
        let before = try Self.metadata(url)
        let model = try store.model()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let opened = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        var metadata = coordinator.metadata(for: opened)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        metadata["mine"] = "x"
        coordinator.setMetadata(metadata, for: opened)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try context.save() }
        try coordinator.remove(opened)
        let text = try Database(url).text("SELECT instr(Z_PLIST, CAST('_OpenCoreData' AS BLOB)) FROM Z_METADATA")
        #expect(text == "0")
        let after = try Self.metadata(url)
        #expect(after["mine"] as? String == "x" && Set(after.keys) == Set(before.keys).union(["mine"]))
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: after))
    }

    @Test("R32: for stores made here the version hashes decide, so that a change that no table shows counts")
    func ownStores() throws {
        let folder = try TemporaryFolder()
        let model = Surface.model()
        let url = folder.file("own.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.remove(try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url))
        let metadata = try Self.metadata(url)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let changed = try #require(model.copy() as? NSManagedObjectModel)
        changed.entities.first?.versionHashModifier = "2"
        #expect(!changed.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(!model.isConfiguration(withName: "nothing", compatibleWithStoreMetadata: metadata))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: [:]))
        for wrong: Any in ["", [1], ["entities": [["x"]], "tables": [[], ["T", "a"], ["T"]]] as [String: Any]] {
            var forged = metadata
            forged["_OpenCoreDataTables"] = wrong
            forged["NSStoreModelVersionHashes"] = ["Item": Data(count: 32)]
            #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: forged))
        }
    }

    @Test("R32: among the versions of a bundle's models the one of the store is found")
    func versionsInBundle() throws {
        let folder = try TemporaryFolder()
        func write(_ version: String, _ attributes: [String]) throws {
            let list = attributes.map { "<attribute name=\"\($0)\" optional=\"YES\" attributeType=\"String\"/>" }.joined()
            try folder.write(
                "<model type=\"com.apple.IDECoreDataModeler.DataModel\"><entity name=\"Film\">\(list)</entity></model>",
                to: "Films.xcdatamodeld/\(version).xcdatamodel/contents")
        }
        try write("Films", ["title"])
        try write("Films 2", ["title", "year"])
        try write("Films 3", ["title", "year", "length"])
        let bundle = try #require(Bundle(path: folder.url.path))
        for (version, attributes) in [("Films", ["title"]), ("Films 2", ["title", "year"])] {
            let model = try NSManagedObjectModel(
                readingModelAt: folder.file("Films.xcdatamodeld/\(version).xcdatamodel"))
            let url = folder.file("\(version).sqlite")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            try coordinator.remove(try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url))
            let found = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: try Self.metadata(url))
            #expect(found?.entitiesByName["Film"]?.attributesByName.keys.sorted() == attributes)
        }
        #expect(NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: [:]) == nil)
    }
}
