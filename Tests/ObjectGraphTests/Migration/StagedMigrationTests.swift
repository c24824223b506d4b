import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import TestSupport
import Testing

@Suite("STO-150 to STO-159: staged migration")
struct StagedMigrationTests {
    private typealias Maker = ModelMaker

    /// Users have a pet's name, then also a pet, then only the pet, which then has an age. The third can't follow the first.
    private static func model(_ version: Int) -> NSManagedObjectModel {
        var maker = ModelMaker()
        let name = { Maker.attribute("petName", .string) }
        maker.entity("User", [Maker.attribute("name", .string)] + (version < 3 ? [name()] : []))
        if version > 1 {
            maker.entity("Pet", [Maker.attribute("name", .string)] + (version > 3 ? [Maker.attribute("age", .integer16)] : []))
            maker.relate("User", "pet", version == 2 ? .one : .one.required, "Pet", "owner", .one)
        }
        return maker.model()
    }

    private static func reference(_ version: Int) -> NSManagedObjectModelReference {
        let model = model(version)
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    private static func sum(_ version: Int) -> String { model(version).versionChecksum }

    private static func store() throws -> MigratedStore {
        try MigratedStore(model(1)) { context in
            context.make("User", ["name": "Ann", "petName": "Tom"])
            context.make("User", ["name": "Bob", "petName": "Rex"])
        }
    }

    /// Makes pets of names after the store has the second model.
    private static func pets() -> NSCustomMigrationStage {
        let stage = NSCustomMigrationStage(migratingFrom: reference(1), to: reference(2))
        stage.label = "pets"
        stage.didMigrateHandler = { manager, _ in
            let context = try #require(manager.container).newBackgroundContext()
            try context.run { context in
                for user in try context.all("User") where user.one("pet") == nil {
                    user.set("pet", context.make("Pet", ["name": user.text("petName")]))
                }
                try context.save()
            }
        }
        return stage
    }

    private func options(_ stages: [NSMigrationStage]) -> [String: Any] {
        MigratedStore.automatic.merging([
            NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages)
        ]) { $1 }
    }

    private func expectPets(_ store: MigratedStore, _ version: Int, _ stages: [NSMigrationStage]) throws {
        try store.migrate(to: Self.model(version), options: options(stages)) { context in
            try #expect(context.named("Ann", "User").one("pet")?.text("name") == "Tom")
            try #expect(context.named("Bob", "User").one("pet")?.text("name") == "Rex")
        }
    }

    @Test("STO-153: one custom stage moves data, two stages go on from there")
    func custom() throws {
        try expectPets(Self.store(), 2, [Self.pets()])
        try expectPets(Self.store(), 3, [Self.pets(), NSLightweightMigrationStage([Self.sum(3)])])
        let second = NSCustomMigrationStage(migratingFrom: Self.reference(2), to: Self.reference(3))
        var seen: [Int] = []
        second.willMigrateHandler = { manager, stage in
            let container = try #require(manager.container)
            seen.append(container.managedObjectModel.entitiesByName["User"]?.attributesByName.count ?? 0)
        }
        try expectPets(Self.store(), 3, [Self.pets(), second])
        #expect(seen == [2])
    }

    @Test("STO-156: stages are found by the store's version; lightweight ones alone are one migration")
    func matrix() throws {
        func light(_ versions: Int...) -> NSLightweightMigrationStage { NSLightweightMigrationStage(versions.map(Self.sum)) }
        try expectPets(Self.store(), 4, [Self.pets(), light(3, 4)])
        let error = try Self.store().error(migratingTo: Self.model(3), options: options([light(1, 2, 3)]))
        #expect(error.code == NSMigrationError)
        let backward = try Self.store().error(migratingTo: Self.model(4), options: options([light(3, 4), Self.pets()]))
        #expect(backward.code == NSStagedMigrationBackwardMigrationError)
        let twice = try Self.store().error(migratingTo: Self.model(2), options: options([light(1), Self.pets()]))
        #expect(twice.localizedDescription.contains("Duplicate version checksums across stages detected"))
        let unknown = try Self.store().error(migratingTo: Self.model(3), options: options([light(2, 3)]))
        #expect(unknown.localizedDescription.contains("no stage names the version"))
    }

    @Test("STO-154: an error of a handler ends the loading; the next one goes on where that one stopped")
    func failure() throws {
        struct Stop: Error {}
        let store = try Self.store()
        let stage = Self.pets()
        let handler = stage.didMigrateHandler
        stage.didMigrateHandler = { _, _ in throw Stop() }
        #expect(throws: Stop.self) { try store.open(Self.model(2), options: options([stage])) { _ in } }
        // The tables are those of the second model, and the handler's work is still to be done.
        stage.didMigrateHandler = handler
        try expectPets(store, 3, [stage, NSLightweightMigrationStage([Self.sum(3)])])
    }

    @Test("STO-158, STO-159: a model that is not the one of its checksum is an error")
    func reference() throws {
        let reference = NSManagedObjectModelReference(model: Self.model(2), versionChecksum: Self.sum(3))
        let error = #expect(throws: NSError.self) { try reference.resolve() }
        #expect(error?.code == NSManagedObjectModelReferenceNotFoundError)
        let folder = try TemporaryFolder()
        try folder.write(Self.model(3).compiledData(), to: "Pets.momd/3.mom")
        let file = NSManagedObjectModelReference(fileURL: folder.file("Pets.momd"), versionChecksum: Self.sum(3))
        #expect(file.resolvedModel.entitiesByName.count == 2)
        #expect(throws: NSError.self) {
            try NSManagedObjectModelReference(name: "Nothing", in: nil, versionChecksum: "x").resolve()
        }
    }
}

@Suite("The plan of a migration")
struct MigrationPlanTests {
    private typealias Maker = ModelMaker

    private static func model(_ names: String...) -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Film", names.map { Maker.attribute($0, .string) })
        return maker.model()
    }

    @Test("B54: differences are listed with what will be done, and values that will be lost are counted; a copy can be tried")
    func plan() throws {
        let store = try MigratedStore(Self.model("name", "heading")) { context in
            context.make("Film", ["name": "Ran", "heading": "RAN"])
            context.make("Film", ["name": "Ikiru"])
        }
        let before = try Data(contentsOf: store.url)
        let container = NSPersistentContainer(name: "Films", managedObjectModel: Self.model("name", "title"))
        let plan = try container.migrationPlan(forStoreAt: store.url)
        #expect(plan.isNeeded && plan.canBeInferred)
        #expect(plan.losses.map(\.place) == ["Film.heading"])
        #expect(plan.losses.first?.lostCount == 1)
        #expect(plan.description.contains("set the renaming identifier of “Film.title” to “heading”"))
        #expect(plan.storeSize > 0)
        #expect(try container.tryMigration(ofStoreAt: store.url).description == plan.description)
        #expect(try Data(contentsOf: store.url) == before)
        let same = NSPersistentContainer(name: "Films", managedObjectModel: Self.model("name", "heading"))
        try #expect(same.migrationPlan(forStoreAt: store.url).isNeeded == false)
        #expect(throws: NSError.self) { try container.migrationPlan(forStoreAt: store.folder.file("nothing.sqlite")) }
    }
}
