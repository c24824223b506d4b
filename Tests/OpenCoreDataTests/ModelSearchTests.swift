import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Models found in bundles, and models merged")
struct ModelSearchTests {
    private func write(_ entities: String, _ name: String, in folder: TemporaryFolder) throws {
        try folder.write(
            "<model type=\"com.apple.IDECoreDataModeler.DataModel\">\(entities)</model>", to: "\(name).xcdatamodel/contents")
    }

    private let director = """
        <entity name="Director"><attribute name="name" attributeType="String"/></entity>
        """
    private let movie = """
        <entity name="Movie"><attribute name="title" attributeType="String"/></entity>
        """

    @Test("The models of a bundle become one; without models, or with a wrong one, there is none")
    func bundles() throws {
        let folder = try TemporaryFolder()
        let bundle = try #require(Bundle(path: folder.url.path))
        #expect(NSManagedObjectModel.mergedModel(from: [bundle]) == nil)
        try write(director, "A", in: folder)
        try write(movie + director, "B", in: folder)
        let merged = try #require(NSManagedObjectModel.mergedModel(from: [bundle]))
        #expect(Set(merged.entitiesByName.keys) == ["Director", "Movie"] && merged.entities.count == 2)
        try folder.write("no model", to: "C.xcdatamodel/contents")
        #expect(NSManagedObjectModel.mergedModel(from: [bundle]) == nil)
    }

    @Test("STO-81: merged models stay as they are; what is in both must be the same, and is linked anew")
    func merging() throws {
        func library(_ change: (NSEntityDescription) -> Void = { _ in }) -> NSManagedObjectModel {
            let model = Surface.model()
            model.entities.first.map(change)
            return model
        }
        let first = library()
        let second = library()
        let shelf = NSEntityDescription()
        shelf.name = "Shelf"
        let holds = NSRelationshipDescription()
        holds.name = "holds"
        holds.destinationEntity = second.entitiesByName["Item"]
        shelf.properties = [holds]
        let special = NSEntityDescription()
        special.name = "Special"
        second.entities += [shelf, special]
        second.entitiesByName["Item"]?.subentities = [special]
        second.setEntities([shelf], forConfigurationName: "Furniture")
        second.versionIdentifiers = ["2"]
        let merged = try #require(NSManagedObjectModel(byMerging: [first, second]))
        #expect(Set(merged.entitiesByName.keys) == ["Item", "Shelf", "Special"])
        let item = try #require(merged.entitiesByName["Item"])
        #expect(merged.entitiesByName["Shelf"]?.relationshipsByName["holds"]?.destinationEntity === item)
        #expect(merged.entitiesByName["Special"]?.superentity === item && item.subentities.count == 1)
        #expect(item.relationshipsByName["parent"]?.inverseRelationship === item.relationshipsByName["children"])
        #expect(merged.entities(forConfigurationName: "Furniture")?.map(\.name) == ["Shelf"])
        #expect(merged.versionIdentifiers == ["2"])
        #expect(first.entities.count == 1 && second.entities.count == 3 && first.entities[0] !== item)
        // The result serves a store.
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: merged)
        try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: "Furniture", at: nil)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.run { context in
            _ = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            try context.save()
        }

        #expect(NSManagedObjectModel(byMerging: [first, library { $0.isAbstract = true }]) == nil)
        #expect(NSManagedObjectModel(byMerging: [])?.entities.isEmpty == true)
    }

    @Test("STO-1: a container by name alone tells that it finds no model, and has an empty one")
    func missingModel() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let container = NSPersistentContainer(name: "No such model")
            #expect(container.managedObjectModel.entities.isEmpty && container.name == "No such model")
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("There is no model “No such model.xcdatamodeld” in "))
    }

    @Test(
        "STO-1: a container by name finds its model among the resources beside the program",
        .enabled(if: Self.canWriteBesideProgram))
    func modelByName() throws {
        let name = "Found\(UUID().uuidString.prefix(8))"
        let resources = Bundle.main.bundleURL.appendingPathComponent("\(name).resources")
        defer { try? FileManager.default.removeItem(at: resources) }
        let folder = try TemporaryFolder()
        try write(movie, name, in: folder)
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: folder.file("\(name).xcdatamodel"), to: resources.appendingPathComponent("\(name).xcdatamodel"))
        let container = NSPersistentContainer(name: name)
        #expect(container.managedObjectModel.entitiesByName.keys.sorted() == ["Movie"])
    }

    @Test(
        "A model is the one of the program's own resources, not the one that a build left for a tool of the same target",
        .enabled(if: Self.canWriteBesideProgram))
    func toolResources() throws {
        let name = "Found\(UUID().uuidString.prefix(8))"
        let folder = try TemporaryFolder()
        let resources = ["", "-tool"].map { Bundle.main.bundleURL.appendingPathComponent("\(name)\($0).resources") }
        defer { for resources in resources { try? FileManager.default.removeItem(at: resources) } }
        for (resources, entities) in zip(resources, [movie, movie.replacingOccurrences(of: "Movie", with: "Old")]) {
            try write(entities, name, in: folder)
            try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
            let model = folder.file("\(name).xcdatamodel")
            try FileManager.default.moveItem(at: model, to: resources.appendingPathComponent(model.lastPathComponent))
        }
        #expect(NSPersistentContainer(name: name).managedObjectModel.entitiesByName.keys.sorted() == ["Movie"])
        try FileManager.default.removeItem(at: resources[0])
        #expect(NSPersistentContainer(name: name).managedObjectModel.entitiesByName.keys.sorted() == ["Old"])
    }

    private static let canWriteBesideProgram = FileManager.default.isWritableFile(atPath: Bundle.main.bundleURL.path)
}
