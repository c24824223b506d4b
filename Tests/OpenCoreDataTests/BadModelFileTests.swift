import OpenCoreData
import TestSupport
import Testing

@Suite("Model files that can't be used say where and why")
struct BadModelFileTests {
    private static let head = "<?xml version=\"1.0\"?>\n<model type=\"com.apple.IDECoreDataModeler.DataModel\">\n"

    private func error(_ text: String, _ location: SourceLocation = #_sourceLocation) throws -> NSError {
        let folder = try TemporaryFolder()
        try folder.write(text, to: "Cinema.xcdatamodeld/Cinema.xcdatamodel/contents")
        let url = folder.file("Cinema.xcdatamodeld")
        let error = try #require(
            #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: url) }, sourceLocation: location)
        #expect(error.domain == NSCocoaErrorDomain, sourceLocation: location)
        #expect(error.file == folder.file("Cinema.xcdatamodeld/Cinema.xcdatamodel/contents").path, sourceLocation: location)
        #expect(NSManagedObjectModel(contentsOf: url) == nil, sourceLocation: location)
        return error
    }

    @Test("Malformed XML: error 259 with the line")
    func malformed() throws {
        let error = try error(Self.head + "  <entity name=\"Movie\">\n    <attribute name=\"title\"\n  </entity>\n</model>\n")
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("line 5"), "\(error.localizedDescription)")
    }

    @Test("Cut off in the middle: error 259 with the line")
    func cutOff() throws {
        let error = try error(Self.head + "  <entity name=\"Movie\">\n    <attribute na")
        #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
        #expect(error.localizedDescription.contains("line 4"), "\(error.localizedDescription)")
    }

    @Test("What contradicts itself: error 134060, all of it in one error, each with line, entity and property")
    func contradictions() throws {
        let error = try error(
            Self.head
                + """
                  <entity name="Movie">
                    <attribute name="title" attributeType="Text"/>
                    <relationship name="director" maxCount="1" destinationEntity="Director"/>
                  </entity>
                  <entity name="Movie"/>
                </model>
                """)
        #expect(error.code == NSCoreDataError)
        #expect(error.details.count == 3)
        for (line, text) in [(4, "Movie.title"), (5, "Movie.director"), (7, "Movie")] {
            #expect(
                error.details.contains {
                    $0.localizedDescription.contains("line \(line)") && $0.localizedDescription.contains(text)
                }, "\(text): \(error)")
        }
    }

    @Test("A missing file: error 260 with its path")
    func missing() throws {
        let folder = try TemporaryFolder()
        for name in ["Cinema.xcdatamodeld", "Cinema.xcdatamodel", "Cinema"] {
            let url = folder.file(name)
            let error = #expect(throws: NSError.self) { try NSManagedObjectModel(readingModelAt: url) }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.code == CocoaError.fileReadNoSuchFile.rawValue)
            #expect(error?.localizedDescription.contains(url.path) == true)
            #expect(NSManagedObjectModel(contentsOf: url) == nil)
        }
    }

    @Test("A store whose model only an editor before Xcode 4 wrote opens with it", .enabled(if: Fixtures.isAvailable))
    func oldEditor() throws {
        #expect(Set(StoreFixture.all.map(\.name)).subtracting(StoreCase.each.map(\.name)) == ["magicalrecord-recipes"])
        let fixture = try #require(StoreFixture.all.first { $0.name == "magicalrecord-recipes" })
        let folder = try TemporaryFolder()
        let store = try folder.copyStore(fixture.store)
        let recipes = Fixtures.models.appendingPathComponent("magicalrecord/Recipes.xcdatamodeld")
        let model = try NSManagedObjectModel(readingModelAt: recipes)
        // Other tests of the process have classes with names that the model has.
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            type: .sqlite, at: store, options: [NSReadOnlyPersistentStoreOption: NSNumber(value: true)])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let counts = try context.performAndWait {
            try model.entities.map {
                "\($0.name ?? "") \(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: $0.name ?? "")))"
            }
        }
        #expect(counts.contains("Image 7") && counts.contains("Ingredient 31"))
    }

    @Test("A store opens with the compiled model of its app", .enabled(if: Fixtures.isAvailable))
    func compiled() throws {
        let fixture = try #require(StoreFixture.all.first { $0.name == "cdp-samplemodel-v1" })
        let compiled = fixture.folder.appendingPathComponent("SampleModel.mom")
        let model = try #require(NSManagedObjectModel(contentsOf: compiled))
        // The hashes beside the model are those of the store.
        let folder = try TemporaryFolder()
        let store = try folder.copyStore(fixture.store)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store)
        #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let source = try #require(fixture.sourceModel)
        #expect(
            try NSManagedObjectModel(readingModelAt: source).isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        )
    }
}
