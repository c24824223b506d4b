import OpenCoreData
import TestSupport
import Testing

@Suite("Options of stores")
struct StoreOptionTests {
    private static func options(_ keys: String...) -> [String: NSObject] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, NSNumber(value: true)) })
    }

    @Test(
        "STO-4, STO-11: a description asks for migration by default, as an option too; a store of the same model opens, and the error of another says what it lacks"
    )
    func migration() throws {
        let folder = try TemporaryFolder()
        let description = NSPersistentStoreDescription(url: folder.file("x.sqlite"))
        #expect(description.shouldMigrateStoreAutomatically && description.shouldInferMappingModelAutomatically)
        #expect(description.options[NSMigratePersistentStoresAutomaticallyOption] == NSNumber(value: true))
        description.shouldMigrateStoreAutomatically = false
        description.shouldInferMappingModelAutomatically = false
        #expect(description.options[NSInferMappingModelAutomaticallyOption] == NSNumber(value: false))
        #expect((description.copy() as? NSPersistentStoreDescription)?.shouldMigrateStoreAutomatically == false)

        let url = try Reels.make(in: folder, frames: 1)
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        try Reels.close(container)
        let model = try #require(container.managedObjectModel.copy() as? NSManagedObjectModel)
        let added = NSAttributeDescription()
        added.name = "added"
        added.attributeType = .stringAttributeType
        let entity = try #require(model.entitiesByName["Reel"])
        entity.managedObjectClassName = "NSManagedObject"
        model.entitiesByName["Frame"]?.managedObjectClassName = "NSManagedObject"
        entity.properties.append(added)
        let files = try FolderContents(folder.url)
        for asks in [true, false] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let error = #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(
                    type: .sqlite, at: url, options: [NSMigratePersistentStoresAutomaticallyOption: asks])
            }
            // Nothing says how, unless a mapping may be inferred.
            #expect(error?.code == (asks ? NSMigrationMissingMappingModelError : NSPersistentStoreIncompatibleVersionHashError))
        }
        #expect(try FolderContents(folder.url) == files)
    }

    @Test("R68: history is recorded from the time that the option asks for it, in Apple's tables, and goes on without it")
    func history() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder, frames: 1)
        func save(_ label: String, _ options: [String: NSObject]) throws {
            let container = try Reels.container(at: url, options: options)
            try container.loadPersistentStores()
            let context = container.newBackgroundContext()
            context.transactionAuthor = "author of \(label)"
            context.name = "importer"
            try context.run { context in
                _ = Reel(context: context, label: label)
                try context.save()
            }
            try Reels.close(container)
        }
        try save("before", [:])
        #expect(try Database(url).rows("SELECT name FROM sqlite_master WHERE name = 'ACHANGE'").isEmpty)
        try save("first", Self.options(NSPersistentHistoryTrackingKey))
        try save("second", Self.options(NSPersistentHistoryTrackingKey))
        try save("third", [:])
        let database = try Database(url)
        let rows = try database.rows(
            "SELECT t.Z_PK, s.ZNAME, c.ZCHANGETYPE, c.ZENTITYPK FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS "
                + "JOIN ACHANGE c ON c.ZTRANSACTIONID = t.Z_PK ORDER BY t.Z_PK")
        #expect(
            rows == [
                ["1", "author of first", "0", "5"], ["2", "author of second", "0", "6"], ["3", "author of third", "0", "7"],
            ])
        let entities = try database.rows("SELECT Z_ENT, Z_NAME, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000 ORDER BY Z_ENT")
        #expect(entities == [["16001", "CHANGE", "3"], ["16002", "TRANSACTION", "3"], ["16003", "TRANSACTIONSTRING", "5"]])
    }

    @Test("R68: vacuuming makes a store smaller, analysing it counts its indexes, and it stays the same store")
    func maintenance() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder, frames: 300)
        let container = try Reels.container(at: url)
        try container.loadPersistentStores()
        try container.newBackgroundContext().run { context in
            for frame in try context.fetch(Frame.self) { context.delete(frame) }
            try context.save()
        }
        try Reels.close(container)
        let before = try Data(contentsOf: url).count
        let tidied = try Reels.container(
            at: url,
            options: Self.options(
                NSSQLiteManualVacuumOption, NSSQLiteAnalyzeOption, NSPersistentStoreFileProtectionKey,
                NSBinaryStoreInsecureDecodingCompatibilityOption))
        try tidied.loadPersistentStores()
        #expect(try tidied.newBackgroundContext().run { try $0.count(of: Reel.self) } == 3)
        try Reels.close(tidied)
        #expect(try Data(contentsOf: url).count < before)
        #expect(try !Database(url).rows("SELECT * FROM sqlite_stat1").isEmpty)
    }

    @Test("R86: a store in WAL mode that was opened read-only has no more files beside it than before")
    func readOnlyLog() throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder, frames: 1)
        #expect(try Database(url).rows("PRAGMA journal_mode") == [["wal"]])
        let before = try FolderContents(folder.url)
        for _ in 0..<2 {
            let container = try Reels.container(at: url, options: Self.options(NSReadOnlyPersistentStoreOption))
            try container.loadPersistentStores()
            #expect(try container.newBackgroundContext().run { try $0.count(of: Reel.self) } == 3)
            try Reels.close(container)
            #expect(try FolderContents(folder.url) == before)
        }
    }

    @Test(
        "R86: a model with more than 2000 columns in one table is refused by the numbers, without the statement, and no file is made"
    )
    func tooManyColumns() throws {
        let folder = try TemporaryFolder()
        let entity = NSEntityDescription()
        entity.name = "Wide"
        entity.properties = (0..<2001).map { number in
            let attribute = NSAttributeDescription()
            attribute.name = "a\(number)"
            attribute.attributeType = .integer16AttributeType
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(type: .sqlite, at: folder.file("x.sqlite"))
        }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains("“Wide”") && text.contains("2004") && text.contains("2000") && !text.contains("CREATE"))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
    }

    @Test(
        "R86: a store that can't be made where it should be says why, and names the folder", .enabled(if: WriteProtection.works))
    func protectedFolder() throws {
        let folder = try TemporaryFolder()
        let protection = try WriteProtection(folder.url)
        let error = try Reels.openingError(at: folder.file("Reels.sqlite"))
        let text = error.localizedDescription
        #expect(text.contains("folder") && text.lowercased().contains("permi"), "\(text)")
        protection.remove()
    }
}
