import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Storage
import TestSupport
import Testing

/// Stores that are opened with the model that they keep.
@Suite("The model in a store")
struct CachedModelTests {
    @Test(
        "A store of Apple's opens with the model that it keeps, and says what is missing if it keeps none",
        arguments: StoreFixture.all)
    func fixtures(fixture: StoreFixture) throws {
        let folder = try TemporaryFolder()
        let store = try folder.copyStore(fixture.store)
        guard try fixture.readCache() != nil else {
            let error = #expect(throws: NSError.self) { try NSManagedObjectModel(cachedInStoreAt: store) }
            #expect(error?.code == 256)
            #expect(error?.localizedDescription.contains("no copy of it") == true)
            #expect(error?.localizedDescription.contains("Open it with the model of the application") == true)
            return
        }
        let model = try NSManagedObjectModel(cachedInStoreAt: store)
        #expect(model.structuralProblems == [])
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: store)
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        // Other tests of the process have classes with names that the models have.
        for entity in model.entities { entity.managedObjectClassName = "NSManagedObject" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: store, options: [NSReadOnlyPersistentStoreOption: true])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for entity in model.entities where entity.superentity == nil {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
                request.fetchLimit = 3
                for object in try context.fetch(request) {
                    for name in object.entity.attributesByName.keys { _ = object.primitiveValue(forKey: name) }
                }
            }
        }
    }

    @Test("A copy that is empty, damaged or not a model is an error, and the store stays as it is")
    func damage() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Store.sqlite")
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "A"
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        try coordinator.remove(store)
        func error(_ value: String) throws -> NSError? {
            let database = try Database(url)
            try database.execute("DELETE FROM Z_MODELCACHE")
            if !value.isEmpty { try database.execute("INSERT INTO Z_MODELCACHE VALUES (\(value))") }
            return #expect(throws: NSError.self) { try NSManagedObjectModel(cachedInStoreAt: url) }
        }
        #expect(try error("")?.localizedDescription.contains("no copy of it") == true)
        #expect(try error("NULL")?.localizedDescription.contains("no copy of it") == true)
        #expect(try error("x''")?.localizedDescription.contains("no copy of it") == true)
        #expect(try error("'text'")?.code == 259)
        #expect(try error("12")?.code == 259)
        #expect(try error("x'0300'")?.localizedDescription.contains("not a keyed archive") == true)
        #expect(try error("zeroblob(70000000)")?.localizedDescription.contains("larger than") == true)
        #expect(#expect(throws: NSError.self) { try NSManagedObjectModel(cachedInStoreAt: folder.file("none")) }?.code == 260)
    }
}
