import OpenCoreData
import TestSupport
import Testing

/// Fits nothing of the reel in the model below.
@Entity("Reel") final class WrongReel: NSManagedObject {
    var label: Int
    var length: Double?
    var frames: [Frame]
    var year: Int16?
}

@Suite("Requests that make no sense are errors, and the container stays usable")
struct BadRequestTests {
    private func fetchError(
        _ text: String, entity: String = "Reel", _ location: SourceLocation = #_sourceLocation,
        _ change: @escaping (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws {
        let folder = try TemporaryFolder()
        let container = try Reels.container(at: Reels.make(in: folder, frames: 2))
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            change(request)
            let error = #expect(throws: NSError.self, sourceLocation: location) { try context.fetch(request) }
            #expect(error?.domain == NSCocoaErrorDomain, sourceLocation: location)
            #expect(error?.code == NSCoreDataError, sourceLocation: location)
            #expect(
                error?.localizedDescription.contains(text) == true, "\(error?.localizedDescription ?? "")",
                sourceLocation: location)
            let count = try context.count(of: Reel.self)
            #expect(count == 3, sourceLocation: location)
        }
        try Reels.close(container)
    }

    @Test("An entity that the model does not have")
    func unknownEntity() throws {
        try fetchError("could not locate an entity named “Poster”", entity: "Poster")
    }

    @Test("A sort key that the entity does not have; the message says what it has")
    func unknownSortKey() throws {
        try fetchError(
            "“Reel” can't be sorted by “year”: keypath year not found in entity Reel\nThere are: frames, label, length"
        ) {
            $0.sortDescriptors = [NSSortDescriptor(key: "year", ascending: true)]
        }
        try fetchError("“Reel” can't be sorted by “year.x”") {
            $0.sortDescriptors = [NSSortDescriptor(key: "year.x", ascending: true)]
        }
    }

    @Test("A sort by a to-many relationship")
    func toManySort() throws {
        try fetchError("can't be sorted by “frames”: to-many key not allowed here: frames") {
            $0.sortDescriptors = [NSSortDescriptor(key: "frames", ascending: true)]
        }
        try fetchError("can't be sorted by “frames.number”: to-many key not allowed here: frames.number") {
            $0.sortDescriptors = [NSSortDescriptor(key: "frames.number", ascending: true)]
        }
    }

    @Test("A negative limit or offset")
    func negativeLimit() throws {
        try fetchError("must not be negative") { $0.fetchLimit = -1 }
        try fetchError("must not be negative") { $0.fetchOffset = -1 }
    }

    @Test("Another class than the entity's")
    func wrongClass() throws {
        let folder = try TemporaryFolder()
        let container = try Reels.container(at: Reels.make(in: folder, frames: 2))
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            let error = #expect(throws: NSError.self) { try context.fetch(NSFetchRequest<Frame>(entityName: "Reel")) }
            #expect(error?.code == NSCoreDataError)
            #expect(error?.localizedDescription.contains("gives Reel, which is not the Frame that the request is for") == true)
            let reels = try context.fetch(NSFetchRequest<Reel>(entityName: "Reel"))
            #expect(reels.count == 3)
        }
        try Reels.close(container)
    }

    @Test("An ID that no row has: error 133000")
    func unknownID() throws {
        let folder = try TemporaryFolder()
        let container = try Reels.container(at: Reels.make(in: folder, frames: 2))
        try container.loadPersistentStores()
        let coordinator = container.persistentStoreCoordinator
        let uuid = try #require(coordinator.persistentStores.first?.identifier)
        for text in [
            "x-coredata://\(uuid)/Poster/p1", "x-coredata://\(uuid)/Reel/x1", "x-coredata://\(UUID().uuidString)/Reel/p1",
            "https://example.com/Reel/p1", "x",
        ] {
            #expect(coordinator.managedObjectID(forURIRepresentation: try #require(URL(string: text))) == nil)
        }
        let url = try #require(URL(string: "x-coredata://\(uuid)/Reel/p99"))
        let id = try #require(coordinator.managedObjectID(forURIRepresentation: url))
        container.newBackgroundContext().run { context in
            let error = #expect(throws: NSError.self) { try context.existingObject(with: id) }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.code == NSManagedObjectReferentialIntegrityError)
            #expect(error?.localizedDescription.contains("Reel/p99") == true)
        }
        try Reels.close(container)
    }

    @Test("STO-22: a store type that does not exist: error 134000 that names those that do")
    func storeType() throws {
        let folder = try TemporaryFolder()
        let container = try Reels.container(at: folder.file("Reels.sqlite"))
        container.persistentStoreDescriptions[0].type = "JSON"
        var error = #expect(throws: NSError.self) { try container.loadPersistentStores() }
        #expect(error?.domain == NSCocoaErrorDomain)
        #expect(error?.code == NSPersistentStoreInvalidTypeError)
        #expect(error?.localizedDescription.contains("“JSON”") == true)
        #expect(
            [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType].allSatisfy {
                error?.localizedDescription.contains($0) == true
            })
        error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: "JSON", at: folder.file("Reels.sqlite"))
        }
        #expect(error?.code == NSPersistentStoreInvalidTypeError)
        error = #expect(throws: NSError.self) {
            try container.persistentStoreCoordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: nil)
        }
        #expect(error?.code == NSPersistentStoreInvalidTypeError)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try Reels.expectUsable(container)
    }

    @Test("STO-27: a configuration that the model does not have: error 134060 that names it")
    func configuration() throws {
        let folder = try TemporaryFolder()
        let container = try Reels.container(at: folder.file("Reels.sqlite"))
        container.persistentStoreDescriptions[0].configuration = "Cloud"
        let error = #expect(throws: NSError.self) { try container.loadPersistentStores() }
        #expect(error?.code == NSCoreDataError)
        #expect(error?.localizedDescription.contains("“Cloud”") == true)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        try Reels.expectUsable(container)
    }

    @Test("STO-25: the same store twice, also by another spelling of its path: error 134070, and the first stays open")
    func sameStoreTwice() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder, frames: 2)
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        try FileManager.default.createSymbolicLink(at: folder.file("link"), withDestinationURL: folder.url)
        for other in [url, folder.url.appendingPathComponent("./x/../Reels.sqlite"), folder.file("link/Reels.sqlite")] {
            let error = #expect(throws: NSError.self) {
                try container.persistentStoreCoordinator.addPersistentStore(type: .sqlite, at: other)
            }
            #expect(error?.domain == NSCocoaErrorDomain)
            #expect(error?.code == NSPersistentStoreOperationError, "\(other.path)")
            #expect(error?.localizedDescription.contains("Reels.sqlite") == true)
            #expect(container.persistentStoreCoordinator.persistentStores.count == 1)
        }
        #expect(try container.newBackgroundContext().run { try $0.count(of: Frame.self) } == 6)
        try Reels.close(container)
    }

    @Test("A class that does not fit the model: everything in one error when the store is added, and no file is made")
    func wrongTypes() throws {
        let folder = try TemporaryFolder()
        let source = try folder.write(
            """
            <model type="com.apple.IDECoreDataModeler.DataModel">
              <entity name="Reel" representedClassName="OpenCoreDataTests.WrongReel">
                <attribute name="label" attributeType="String"/>
                <attribute name="length" optional="YES" attributeType="Integer 32"/>
                <relationship name="frames" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Frame" inverseName="reel" inverseEntity="Frame"/>
              </entity>
              <entity name="Frame" representedClassName="OpenCoreDataTests.Frame">
                <attribute name="number" attributeType="String"/>
                <attribute name="caption" attributeType="String"/>
                <relationship name="reel" maxCount="1" deletionRule="Nullify" destinationEntity="Reel" inverseName="frames" inverseEntity="Reel"/>
              </entity>
            </model>
            """, to: "Reels.xcdatamodel/contents")
        let model = try NSManagedObjectModel(readingModelAt: source.deletingLastPathComponent())
        let container = NSPersistentContainer(name: "Reels", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("Reels.sqlite"))]
        let thrown = #expect(throws: NSError.self) { try container.loadPersistentStores() }
        let error = try #require(thrown)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == NSCoreDataError)
        let mismatches = [
            "Frame.number: Swift type Int, model type String",
            "WrongReel.label: Swift type Int, model type String",
            "WrongReel.length: Swift type Double?, model type Integer 32",
            "WrongReel.frames: Swift type [Frame], model type to-many relationship to “Frame”",
            "WrongReel.year: Swift type Int16?, the entity “Reel” has no property “year”",
        ]
        for mismatch in mismatches { #expect(error.localizedDescription.contains(mismatch), "\(error.localizedDescription)") }
        #expect(Set(error.details.map(\.localizedDescription)) == Set(mismatches))
        #expect(container.persistentStoreCoordinator.persistentStores == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["Reels.xcdatamodel"])
    }

    @Test("A context without coordinator")
    func noCoordinator() {
        let context = NSManagedObjectContext(.privateQueue)
        let error = #expect(throws: NSError.self) { try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Reel")) }
        #expect(error?.code == NSCoreDataError)
        #expect(error?.localizedDescription.contains("it has no persistentStoreCoordinator") == true)
    }
}
