import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

/// Makes two newer films of each older one that is long.
final class SplittingPolicy: NSEntityMigrationPolicy, ExpressionFunctionTarget {
    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        guard (sInstance.number("year") ?? 0) > 1951 else { return }
        let second = NSEntityDescription.insertNewObject(forEntityName: "Film", into: manager.destinationContext)
        second.set("name", "\(sInstance.text("name") ?? "") II")
        manager.associate(sourceInstance: sInstance, withDestinationInstance: second, for: mapping)
    }

    func value(ofFunction name: String, arguments: [Any?]) throws -> Any? {
        (arguments.first as? String).map { "\($0)!" }
    }
}

/// Stops the migration in the middle.
final class CancellingPolicy: NSEntityMigrationPolicy {
    struct Stop: Error, Equatable { let number: Int }

    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        #expect(manager.migrationProgress > 0)
        manager.cancelMigrationWithError(Stop(number: 7))
    }
}

/// Notes in the manager's user info what is called.
final class RecordingPolicy: NSEntityMigrationPolicy {
    private func note(_ name: String, _ manager: NSMigrationManager) {
        guard let log = manager.userInfo?["log"] as? NSMutableArray else { return }
        log.add("\(name) \(manager.currentEntityMapping.destinationEntityName ?? "-")")
    }

    override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws { note("begin", manager) }
    override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("endInstances", manager)
    }
    override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("endRelationships", manager)
    }
    override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        note("validate", manager)
    }
    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws { note("end", manager) }
}

@Suite("STO-96 to STO-100, STO-120 to STO-134: mapping models and the migration manager")
struct MigrationManagerTests {
    private typealias Maker = ModelMaker

    private static func model(newer: Bool) -> NSManagedObjectModel {
        var maker = ModelMaker()
        let text = Maker.attribute(newer ? "title" : "heading", .string)
        text.renamingIdentifier = "heading"
        maker.entity("Director", [Maker.attribute("name", .string)])
        maker.entity(
            "Film",
            [Maker.attribute("name", .string), text]
                + [newer ? Maker.attribute("year", .string) : Maker.attribute("year", .integer16)])
        maker.relate("Director", "films", .many, "Film", "director", .one)
        if newer { maker.entity("Studio", [Maker.attribute("name", .string)]) }
        return maker.model()
    }

    /// With the year of the same type.
    private static func inferable() -> NSManagedObjectModel {
        let model = model(newer: true)
        model.entitiesByName["Film"]?.attributesByName["year"]?.type = .integer16
        return model
    }

    private static func fill(_ context: NSManagedObjectContext) {
        let director = context.make("Director", ["name": "Kurosawa"])
        for (index, name) in ["Ikiru", "Ran", "Rashomon"].enumerated() {
            context.make("Film", ["name": name, "heading": name.uppercased(), "year": 1950 + index, "director": director])
        }
    }

    private func mapping(_ policy: String? = nil) throws -> NSMappingModel {
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: Self.model(newer: false), destinationModel: Self.inferable())
        let film = try #require(mapping.entityMappings.first { $0.destinationEntityName == "Film" })
        film.entityMigrationPolicyClassName = policy
        return mapping
    }

    private func destination(_ store: MigratedStore) -> URL { store.folder.file("new.sqlite") }

    private func read<Result>(
        _ url: URL, _ model: NSManagedObjectModel, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return try context.run(body)
    }

    @Test("STO-99, STO-100: inferred mappings have Apple's names, all properties, and their user info")
    func inferred() throws {
        let mapping = try mapping()
        #expect(mapping.entityMappings.compactMap(\.name) == ["IEM_Copy_Director", "IEM_Transform_Film", "IEM_Add_Studio"])
        let film = try #require(mapping.entityMappingsByName["IEM_Transform_Film"])
        #expect(film.mappingType == .transformEntityMappingType)
        #expect(film.attributeMappings?.map(\.name) == ["name", "title", "year"])
        #expect(film.relationshipMappings?.map(\.name) == ["director"])
        #expect(film.userInfo?["mappedProperties"] as? Set<String> == ["name", "title", "year", "director"])
        #expect(film.userInfo?["removedProperties"] as? Set<String> == [])
        let title = try #require(film.attributeMappings?.first { $0.name == "title" }?.valueExpression)
        #expect("\(title)" == "$source.heading")
        let back = try NSMappingModel.inferredMappingModel(
            forSourceModel: Self.inferable(), destinationModel: Self.model(newer: false))
        #expect(back.entityMappings.contains { $0.name == "IEM_Remove_Studio" && $0.mappingType == .removeEntityMappingType })
        let error = #expect(throws: NSError.self) {
            try NSMappingModel.inferredMappingModel(
                forSourceModel: Self.model(newer: false), destinationModel: Self.model(newer: true))
        }
        #expect(error?.code == NSInferredMappingModelError)
    }

    @Test("STO-120, STO-121: a store is migrated to another place, in SQL or object by object", arguments: [true, false])
    func migrate(inPlace: Bool) throws {
        let store = try MigratedStore(Self.model(newer: false), Self.fill)
        let before = try Data(contentsOf: store.url)
        let model = Self.inferable()
        let manager = NSMigrationManager(sourceModel: Self.model(newer: false), destinationModel: model)
        manager.usesStoreSpecificMigrationManager = inPlace
        let mapping = try mapping()
        #expect(throws: NSError.self) {
            try manager.migrateStore(from: store.url, type: .sqlite, mapping: mapping, to: store.url, type: .sqlite)
        }
        try manager.migrateStore(from: store.url, type: .sqlite, mapping: mapping, to: destination(store), type: .sqlite)
        #expect(manager.migrationProgress == 0)
        #expect(try Data(contentsOf: store.url) == before)
        try read(destination(store), model) { context in
            let films = try context.all("Film")
            #expect(films.map { $0.text("title") } == ["IKIRU", "RAN", "RASHOMON"])
            #expect(films.map { $0.number("year") } == [1950, 1951, 1952])
            try #expect(context.named("Kurosawa", "Director").names("films") == ["Ikiru", "Ran", "Rashomon"])
        }
    }

    @Test("STO-122, STO-123: policies are found by name, make more than one object, and are called in order")
    func policies() throws {
        let store = try MigratedStore(Self.model(newer: false), Self.fill)
        let model = Self.inferable()
        let manager = NSMigrationManager(sourceModel: Self.model(newer: false), destinationModel: model)
        let log = NSMutableArray()
        manager.userInfo = ["log": log]
        let mapping = try mapping("ObjectGraphTests.SplittingPolicy")
        mapping.entityMappingsByName["IEM_Copy_Director"]?.entityMigrationPolicyClassName = "RecordingPolicy"
        let title = try #require(
            mapping.entityMappingsByName["IEM_Transform_Film"]?.attributeMappings?.first { $0.name == "title" })
        title.valueExpression = try _NSExpression(validating: "FUNCTION($entityPolicy, 'shout:', $source.heading)")
        try manager.migrateStore(from: store.url, type: .sqlite, mapping: mapping, to: destination(store), type: .sqlite)
        try read(destination(store), model) { context in
            try #expect(context.all("Film").compactMap { $0.text("name") } == ["Ikiru", "Ran", "Rashomon", "Rashomon II"])
            try #expect(context.named("Ran", "Film").text("title") == "RAN!")
            try #expect(context.named("Kurosawa", "Director").names("films") == ["Ikiru", "Ran", "Rashomon", "Rashomon II"])
        }
        #expect(
            log as? [String] == ["begin", "endInstances", "endRelationships", "validate", "end"].map { "\($0) Director" })
        let wrong = try self.mapping("App.Missing")
        let error = #expect(throws: NSError.self) {
            try manager.migrateStore(
                from: store.url, type: .sqlite, mapping: wrong, to: store.folder.file("other.sqlite"), type: .sqlite)
        }
        #expect(error?.localizedDescription.contains("there is no class “App.Missing”") == true)
        #expect(!FileManager.default.fileExists(atPath: store.folder.file("other.sqlite").path))
    }

    @Test("STO-128: a cancelled migration throws the given error, leaves nothing, and can be done again")
    func cancel() throws {
        let store = try MigratedStore(Self.model(newer: false), Self.fill)
        let manager = NSMigrationManager(sourceModel: Self.model(newer: false), destinationModel: Self.inferable())
        let mapping = try mapping("ObjectGraphTests.CancellingPolicy")
        #expect(throws: CancellingPolicy.Stop(number: 7)) {
            try manager.migrateStore(from: store.url, type: .sqlite, mapping: mapping, to: destination(store), type: .sqlite)
        }
        #expect(!FileManager.default.fileExists(atPath: destination(store).path))
        #expect(manager.migrationProgress == 0)
        try manager.migrateStore(from: store.url, type: .sqlite, mapping: self.mapping(), to: destination(store), type: .sqlite)
        try read(destination(store), Self.inferable()) { try #expect($0.all("Film").count == 3) }
    }

    @Test("STO-124, STO-130: source expressions choose objects, and a value that can't be computed names its place")
    func expressions() throws {
        let store = try MigratedStore(Self.model(newer: false), Self.fill)
        let model = Self.inferable()
        let manager = NSMigrationManager(sourceModel: Self.model(newer: false), destinationModel: model)
        let mapping = try mapping()
        let film = try #require(mapping.entityMappingsByName["IEM_Transform_Film"])
        film.sourceExpression = try _NSExpression(
            validating:
                "FETCH(FUNCTION($manager, 'fetchRequestForSourceEntityNamed:predicateString:', 'Film', 'year > 1950'), $manager.sourceContext, NO)"
        )
        let year = try #require(film.attributeMappings?.first { $0.name == "year" })
        year.valueExpression = try _NSExpression(validating: "$source.year + 100")
        try manager.migrateStore(from: store.url, type: .sqlite, mapping: mapping, to: destination(store), type: .sqlite)
        try read(destination(store), model) { context in
            try #expect(context.all("Film").map { $0.number("year") } == [2051, 2052])
        }
        year.valueExpression = try _NSExpression(validating: "$source.nothing")
        let error = #expect(throws: NSError.self) {
            try manager.migrateStore(
                from: store.url, type: .sqlite, mapping: mapping, to: store.folder.file("other.sqlite"), type: .sqlite)
        }
        #expect(error?.localizedDescription.contains("IEM_Transform_Film.year") == true)
    }

    @Test("STO-129: objects that are not valid end the migration")
    func validation() throws {
        let store = try MigratedStore(Self.model(newer: false), Self.fill)
        let model = Self.inferable()
        model.entitiesByName["Film"]?.properties.append(Maker.attribute("length", .integer16, isOptional: false))
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: Self.model(newer: false), destinationModel: model)
        let manager = NSMigrationManager(sourceModel: Self.model(newer: false), destinationModel: model)
        manager.usesStoreSpecificMigrationManager = false
        let error = #expect(throws: NSError.self) {
            try manager.migrateStore(from: store.url, type: .sqlite, mapping: mapping, to: destination(store), type: .sqlite)
        }
        #expect(error?.code == NSMigrationError)
        #expect(!FileManager.default.fileExists(atPath: destination(store).path))
    }

    @Test("A closure with types does what can't be inferred")
    func typed() throws {
        let older = Self.model(newer: false)
        let store = try MigratedStore(Self.model(newer: false), Self.fill)
        let newer = Self.model(newer: true)
        older.entitiesByName["Film"]?.managedObjectClassName = "ObjectGraphTests.OldFilm"
        newer.entitiesByName["Film"]?.managedObjectClassName = "ObjectGraphTests.NewFilm"
        let manager = NSMigrationManager(sourceModel: older, destinationModel: newer)
        try manager.migrate(OldFilm.self, to: NewFilm.self) { old, new, context in
            new.set("year", "in \(old.number("year") ?? 0)")
            new.set("name", new.one("director")?.text("name"))
            if old.text("name") == "Ran" { context.make("Studio", ["name": "Toho"]) }
        }
        try manager.migrateStore(from: store.url, type: .sqlite, mapping: nil, to: destination(store), type: .sqlite)
        try read(destination(store), newer) { context in
            let films = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Film"))
            #expect(Set(films.compactMap { $0.text("year") }) == ["in 1950", "in 1951", "in 1952"])
            #expect(Set(films.compactMap { $0.text("name") }) == ["Kurosawa"])
            try #expect(context.all("Studio").count == 1)
        }
        #expect(throws: NSError.self) { try manager.migrate(NewFilm.self, to: NewFilm.self) { _, _, _ in } }
    }
}

final class OldFilm: NSManagedObject {}
final class NewFilm: NSManagedObject {}
