import Foundation
import OpenCoreData
import TestSupport
import Testing

// The code of ChangingTheModel.md: a test compares the two.

enum ChangingTheModelExamples {
    @Entity final class Film: NSManagedObject {
        @Attribute(.originalName("heading")) var title: String?
        var year: Int?
        var genre: String = "drama"
    }

    @Entity("Film") final class OldFilm: NSManagedObject {
        var heading: String?
        var year: String?
    }

    @Entity("Film") final class NewFilm: NSManagedObject {
        var heading: String?
        var year: Int?
    }

    static func canMigrate(_ container: NSPersistentContainer, _ url: URL) throws -> Bool {
        let plan = try container.migrationPlan(forStoreAt: url)
        for change in plan.changes { print(change) }
        return plan.canBeInferred && plan.losses.isEmpty
    }

    static func careful(_ url: URL) -> NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: url)
        description.allowsLosingValues = false
        description.keepsBackupOfMigratedStore = true
        return description
    }

    static func stages(
        _ first: NSManagedObjectModel, _ second: NSManagedObjectModel
    ) -> NSStagedMigrationManager {
        let stage = NSCustomMigrationStage(
            migratingFrom: NSManagedObjectModelReference(model: first, versionChecksum: first.versionChecksum),
            to: NSManagedObjectModelReference(model: second, versionChecksum: second.versionChecksum))
        stage.didMigrateHandler = { manager, _ in
            guard let context = manager.container?.newBackgroundContext() else { return }
            try context.performAndWait {
                for film in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Film")) {
                    film.setValue((film.value(forKey: "title") as? String)?.capitalized, forKey: "title")
                }
                try context.save()
            }
        }
        return NSStagedMigrationManager([stage])
    }

    static func convert(
        _ older: NSManagedObjectModel, _ newer: NSManagedObjectModel, _ url: URL, to newURL: URL
    ) throws {
        let manager = NSMigrationManager(sourceModel: older, destinationModel: newer)
        try manager.migrate(OldFilm.self, to: NewFilm.self) { old, new, context in
            new.year = old.year.flatMap { Int($0) }
        }
        try manager.migrateStore(from: url, type: .sqlite, mapping: nil, to: newURL, type: .sqlite)
    }
}

@Suite("The examples of changing the model do what the text says")
struct ChangingTheModelTests {
    private typealias Examples = ChangingTheModelExamples

    private func container(_ model: NSManagedObjectModel, _ description: NSPersistentStoreDescription) throws
        -> NSPersistentContainer
    {
        let container = NSPersistentContainer(name: "Films", managedObjectModel: model)
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        return container
    }

    private func close(_ container: NSPersistentContainer) throws {
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
    }

    private func makeStore(in folder: TemporaryFolder) throws -> URL {
        let url = folder.file("Films.sqlite")
        let container = try container(
            NSManagedObjectModel(entities: [Examples.OldFilm.self]), NSPersistentStoreDescription(url: url))
        let context = container.newBackgroundContext()
        try context.performAndWait {
            _ = Examples.OldFilm(context: context, heading: "ran", year: "1985")
            try context.save()
        }
        try close(container)
        return url
    }

    @Test("A renamed attribute keeps its values, a text that becomes a number is refused, and a closure converts it")
    func migrates() throws {
        let folder = try TemporaryFolder()
        let url = try makeStore(in: folder)
        let newer = try NSManagedObjectModel(entities: [Examples.Film.self])
        let wanted = NSPersistentContainer(name: "Films", managedObjectModel: newer)
        #expect(try !Examples.canMigrate(wanted, url))
        let converted = folder.file("Converted.sqlite")
        let number = try NSManagedObjectModel(entities: [Examples.NewFilm.self])
        try Examples.convert(try NSManagedObjectModel(entities: [Examples.OldFilm.self]), number, url, to: converted)
        #expect(try Examples.canMigrate(wanted, converted))
        let container = try container(newer, Examples.careful(converted))
        let context = container.newBackgroundContext()
        try context.performAndWait {
            let film = try #require(try context.fetch(Examples.Film.self).first)
            #expect(film.title == "ran" && film.year == 1985 && film.genre == "drama")
        }
        try close(container)
        #expect(FileManager.default.fileExists(atPath: folder.file("Converted-before-migration.sqlite").path))
    }

    @Test("A stage changes values between two versions")
    func stages() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Films.sqlite")
        let first = try NSManagedObjectModel(entities: [Examples.NewFilm.self])
        let old = try container(first, NSPersistentStoreDescription(url: url))
        let context = old.newBackgroundContext()
        try context.performAndWait {
            _ = Examples.NewFilm(context: context, heading: "tokyo story", year: 1953)
            try context.save()
        }
        try close(old)
        let second = try NSManagedObjectModel(entities: [Examples.Film.self])
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(Examples.stages(first, second), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        let new = try container(second, description)
        let reading = new.newBackgroundContext()
        try reading.performAndWait {
            let film = try #require(try reading.fetch(Examples.Film.self).first)
            #expect(film.title == "Tokyo Story")
        }
        try close(new)
    }
}
