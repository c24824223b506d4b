import DataModel
import Foundation
import GraphTestSupport
import ObjectGraph
import Predicates
import TestSupport
import Testing

@Suite("STO-90 to STO-109: inferred migration in place")
struct InferredMigrationTests {
    private typealias Maker = ModelMaker

    /// Films with a title and a year, by directors.
    private static func films(_ change: (inout ModelMaker) -> Void = { _ in }) -> NSManagedObjectModel {
        var maker = ModelMaker()
        maker.entity("Film", [Maker.attribute("name", .string), Maker.attribute("year", .integer16)])
        maker.entity("Director", [Maker.attribute("name", .string)])
        maker.relate("Director", "films", .many, "Film", "director", .one)
        change(&maker)
        return maker.model()
    }

    private static func fill(_ context: NSManagedObjectContext) {
        for (name, films) in ["Kurosawa": ["Ran", "Ikiru", "Rashomon"], "Ozu": ["Early Summer"]].sorted(by: { $0.key < $1.key }) {
            let director = context.make("Director", ["name": name])
            for (index, film) in films.enumerated() {
                context.make("Film", ["name": film, "year": 1950 + index, "director": director])
            }
        }
        context.make("Film", ["name": "Anonymous"])
    }

    private static func names(_ context: NSManagedObjectContext, _ entity: String = "Film") throws -> [String] {
        try context.all(entity).compactMap { $0.text("name") }
    }

    private func entity(_ model: NSManagedObjectModel, _ name: String) throws -> NSEntityDescription {
        try #require(model.entitiesByName[name])
    }

    @Test("STO-98, STO-102, B53: attributes are added, with default values; IDs stay")
    func addAttributes() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let ids = try store.open(Self.films(), options: nil) { try $0.all("Film").map { $0.objectID.uriRepresentation() } }
        let model = Self.films { maker in
            maker.entity("Studio", [Maker.attribute("name", .string)])
        }
        let film = try entity(model, "Film")
        film.properties += [
            Maker.attribute("rating", .double), Maker.attribute("isSeen", .boolean, default: false, isOptional: false),
            Maker.attribute("genre", .string, default: "drama", isOptional: false),
            Maker.attribute("tags", .transformable, default: ["new"]),
        ]
        try store.migrate(to: model) { context in
            let films = try context.all("Film")
            #expect(films.map { $0.objectID.uriRepresentation() } == ids)
            #expect(
                films.allSatisfy { $0.text("genre") == "drama" && $0.number("isSeen") == 0 && $0.value(forKey: "rating") == nil })
            #expect(films.allSatisfy { $0.value(forKey: "tags") as? [String] == ["new"] })
            #expect(films.map { $0.number("year") } == [nil, 1950, 1951, 1950, 1952])
            try #expect(context.named("Kurosawa", "Director").names("films") == ["Ran", "Ikiru", "Rashomon"])
            context.make("Studio", ["name": "Toho"])
            context.make("Film", ["name": "Dreams", "genre": "fantasy"])
            try context.save()
        }
        try store.open(model) { try #expect(Self.names($0).count == 6) }
        try store.verify()
    }

    @Test("STO-101: entities, attributes and relationships are renamed, also by way of a chain; numbers of entities change")
    func rename() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        var maker = ModelMaker()
        maker.entity("Movie", [Maker.attribute("title", .string), Maker.attribute("year", .integer16)])
        maker.entity("Person", [Maker.attribute("name", .string)])
        maker.entity("Award", [Maker.attribute("name", .string)])
        maker.relate("Person", "directed", .many, "Movie", "maker", .one)
        let model = maker.model()
        try entity(model, "Movie").renamingIdentifier = "Film"
        try entity(model, "Person").renamingIdentifier = "Director"
        try #require(entity(model, "Movie").attributesByName["title"]).renamingIdentifier = "name"
        try #require(entity(model, "Movie").relationshipsByName["maker"]).renamingIdentifier = "director"
        try #require(entity(model, "Person").relationshipsByName["directed"]).renamingIdentifier = "films"
        try store.migrate(to: model) { context in
            try #expect(
                context.all("Movie", by: "title").map { $0.text("title") } == [
                    "Anonymous", "Early Summer", "Ikiru", "Ran", "Rashomon",
                ])
            let kurosawa = try context.named("Kurosawa", "Person")
            #expect(Set(kurosawa.many("directed").compactMap { $0.text("title") }) == ["Ran", "Ikiru", "Rashomon"])
        }
    }

    @Test("Two attributes exchange their names")
    func exchange() throws {
        var maker = ModelMaker()
        maker.entity("Point", [Maker.attribute("x", .double), Maker.attribute("y", .double), Maker.attribute("z", .double)])
        let store = try MigratedStore(maker.model()) { context in
            context.make("Point", ["x": 1.0, "y": 2.0, "z": 3.0])
        }
        var newer = ModelMaker()
        newer.entity("Point", [Maker.attribute("x", .double), Maker.attribute("y", .double)])
        let model = newer.model()
        try #require(entity(model, "Point").attributesByName["x"]).renamingIdentifier = "y"
        try #require(entity(model, "Point").attributesByName["y"]).renamingIdentifier = "x"
        try store.migrate(to: model) { context in
            let point = try #require(try context.all("Point", by: "x").first)
            #expect(point.value(forKey: "x") as? Double == 2)
            #expect(point.value(forKey: "y") as? Double == 1)
        }
    }

    @Test("Entities and properties are removed, and what led to them")
    func remove() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        var maker = ModelMaker()
        maker.entity("Film", [Maker.attribute("name", .string)])
        try store.migrate(to: maker.model()) { try #expect(Self.names($0).count == 5) }
    }

    private static func family(_ change: (inout ModelMaker) -> Void) -> NSManagedObjectModel {
        var maker = ModelMaker()
        change(&maker)
        return maker.model()
    }

    @Test("A removed subentity takes its objects along, and the relationships that led to them")
    func removeSubentity() throws {
        let older = Self.family { maker in
            maker.entity("Animal", [Maker.attribute("name", .string)])
            maker.entity("Cat", parent: "Animal", [Maker.attribute("lives", .integer16)])
            maker.entity("Dog", parent: "Animal")
            maker.entity("Owner", [Maker.attribute("name", .string)])
            maker.relate("Owner", "pet", .one, "Animal", "owner", .one)
            maker.relate("Owner", "friends", .many, "Animal", "friends", .many)
        }
        let store = try MigratedStore(older) { context in
            let cat = context.make("Cat", ["name": "Tom", "lives": 9])
            let dog = context.make("Dog", ["name": "Rex"])
            context.make("Owner", ["name": "Ann", "pet": cat, "friends": Set([cat, dog])])
            context.make("Owner", ["name": "Bob", "pet": dog])
        }
        let newer = Self.family { maker in
            maker.entity("Animal", [Maker.attribute("name", .string)])
            maker.entity("Dog", parent: "Animal")
            maker.entity("Owner", [Maker.attribute("name", .string)])
            maker.relate("Owner", "pet", .one, "Animal", "owner", .one)
            maker.relate("Owner", "friends", .many, "Animal", "friends", .many)
        }
        try store.migrate(to: newer) { context in
            try #expect(Self.names(context, "Animal") == ["Rex"])
            try #expect(context.named("Ann", "Owner").one("pet") == nil)
            try #expect(context.named("Ann", "Owner").names("friends") == ["Rex"])
            try #expect(context.named("Bob", "Owner").one("pet")?.text("name") == "Rex")
        }
    }

    @Test("STO-92: a new parent, attributes pulled up and pushed down; entities leave a hierarchy")
    func hierarchies() throws {
        let flat = Self.family { maker in
            maker.entity("Cat", [Maker.attribute("name", .string), Maker.attribute("lives", .integer16)])
            maker.entity("Owner", [Maker.attribute("name", .string)])
            maker.relate("Owner", "pet", .one, "Cat", "owner", .one)
        }
        let store = try MigratedStore(flat) { context in
            let cat = context.make("Cat", ["name": "Tom", "lives": 9])
            context.make("Owner", ["name": "Ann", "pet": cat])
        }
        let deep = Self.family { maker in
            maker.entity("Animal", [Maker.attribute("name", .string)])
            maker.entity("Cat", parent: "Animal", [Maker.attribute("lives", .integer16)])
            maker.entity("Dog", parent: "Animal", [Maker.attribute("lives", .integer16)])
            maker.entity("Owner", [Maker.attribute("name", .string)])
            maker.relate("Owner", "pet", .one, "Animal", "owner", .one)
        }
        try store.migrate(to: deep) { context in
            let cat = try #require(try context.all("Animal").first)
            #expect(cat.entity.name == "Cat")
            #expect(cat.number("lives") == 9)
            #expect(cat.one("owner")?.text("name") == "Ann")
            context.make("Dog", ["name": "Rex", "lives": 1])
            context.make("Animal", ["name": "Snail"])
            try context.save()
        }
        let apart = Self.family { maker in
            maker.entity("Animal", [Maker.attribute("name", .string)])
            maker.entity("Cat", [Maker.attribute("lives", .integer16), Maker.attribute("name", .string)])
            maker.entity("Dog", parent: "Animal", [Maker.attribute("lives", .integer16)])
            maker.entity("Owner", [Maker.attribute("name", .string)])
            maker.relate("Owner", "pet", .one, "Animal", "owner", .one)
        }
        try store.migrate(to: apart) { context in
            try #expect(Self.names(context, "Animal") == ["Rex", "Snail"])
            try #expect(context.named("Rex", "Dog").number("lives") == 1)
            try #expect(context.named("Tom", "Cat").number("lives") == 9)
            try #expect(context.named("Ann", "Owner").one("pet") == nil)
        }
    }

    @Test("Attributes of the same name in two siblings have two columns, and one when the parent declares it, and two again")
    func siblings() throws {
        func model(_ isUp: Bool) -> NSManagedObjectModel {
            Self.family { maker in
                let text = { Maker.attribute("text", .string) }
                maker.entity("Item", [Maker.attribute("name", .string)] + (isUp ? [text()] : []))
                maker.entity("A", parent: "Item", isUp ? [] : [text()])
                maker.entity("B", parent: "Item", isUp ? [] : [text()])
            }
        }
        let store = try MigratedStore(model(false)) { context in
            context.make("A", ["name": "a", "text": "of a"])
            context.make("B", ["name": "b", "text": "of b"])
        }
        for isUp in [true, false] {
            try store.migrate(to: model(isUp)) { context in
                try #expect(context.named("a", "A").text("text") == "of a")
                try #expect(context.named("b", "B").text("text") == "of b")
            }
        }
    }

    @Test("STO-92: to-one becomes to-many", arguments: [true, false], [true, false])
    func toMany(hadManyInverse: Bool, isOrdered: Bool) throws {
        let older = Self.family { maker in
            maker.entity("Film", [Maker.attribute("name", .string)])
            maker.entity("Director", [Maker.attribute("name", .string)])
            maker.relate("Film", "directors", .one, "Director", "films", hadManyInverse ? .many : .one)
        }
        let store = try MigratedStore(older) { context in
            let ozu = context.make("Director", ["name": "Ozu"])
            context.make("Film", ["name": "Late Spring", "directors": ozu])
            if hadManyInverse { context.make("Film", ["name": "Tokyo Story", "directors": ozu]) }
            context.make("Film", ["name": "Anonymous"])
        }
        let newer = Self.family { maker in
            maker.entity("Film", [Maker.attribute("name", .string)])
            maker.entity("Director", [Maker.attribute("name", .string)])
            maker.relate("Film", "directors", isOrdered ? .ordered : .many, "Director", "films", hadManyInverse ? .many : .one)
        }
        try store.migrate(to: newer) { context in
            let film = try context.named("Late Spring", "Film")
            #expect(isOrdered ? film.nameList("directors") == ["Ozu"] : film.names("directors") == ["Ozu"])
            let ozu = try context.named("Ozu", "Director")
            if hadManyInverse {
                #expect(ozu.names("films") == ["Late Spring", "Tokyo Story"])
            } else {
                #expect(ozu.one("films")?.text("name") == "Late Spring")
            }
        }
    }

    @Test("STO-95: to-many can't become to-one: the error says so, and what would help")
    func toOne() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let newer = Self.family { maker in
            maker.entity("Film", [Maker.attribute("name", .string), Maker.attribute("year", .integer16)])
            maker.entity("Director", [Maker.attribute("name", .string)])
            maker.relate("Director", "films", .one, "Film", "director", .one)
        }
        let error = try store.error(migratingTo: newer)
        #expect(error.code == NSMigrationMissingMappingModelError)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSInferredMappingModelError)
        #expect(error.localizedDescription.contains("“Director.films” is to-one now"))
        #expect(error.localizedDescription.contains("migrate("))
    }

    @Test("STO-92: ordered ↔ unordered", arguments: [true, false])
    func order(isManyToMany: Bool) throws {
        func model(_ isOrdered: Bool) -> NSManagedObjectModel {
            Self.family { maker in
                maker.entity("List", [Maker.attribute("name", .string)])
                maker.entity("Item", [Maker.attribute("name", .string)])
                maker.relate("List", "items", isOrdered ? .ordered : .many, "Item", "list", isManyToMany ? .many : .one)
            }
        }
        let store = try MigratedStore(model(false)) { context in
            let list = context.make("List", ["name": "L"])
            let items = ["a", "b", "c"].map { context.make("Item", ["name": $0]) }
            list.set("items", Set(items))
        }
        try store.migrate(to: model(true)) { context in
            let list = try context.named("L", "List")
            #expect(Set(list.nameList("items")) == ["a", "b", "c"])
            list.set(
                "items",
                NSOrderedSet(array: Array(list.list("items").sorted { ($0.text("name") ?? "") > ($1.text("name") ?? "") })))
            try context.save()
        }
        try store.open(model(true)) { try #expect($0.named("L", "List").nameList("items") == ["c", "b", "a"]) }
        try store.migrate(to: model(false)) { try #expect($0.named("L", "List").names("items") == ["a", "b", "c"]) }
    }

    @Test("An inverse is added to and taken from a relationship", arguments: [true, false])
    func inverse(isMany: Bool) throws {
        func model(_ hasInverse: Bool) -> NSManagedObjectModel {
            Self.family { maker in
                maker.entity("List", [Maker.attribute("name", .string)])
                maker.entity("Item", [Maker.attribute("name", .string)])
                if hasInverse {
                    maker.relate("List", "items", isMany ? .many : .one, "Item", "list", .one)
                } else {
                    maker.point("List", "items", isMany ? .many : .one, "Item")
                }
            }
        }
        let store = try MigratedStore(model(false)) { context in
            let item = context.make("Item", ["name": "a"])
            context.make("List", ["name": "L", "items": isMany ? Set([item]) as Any : item])
        }
        for hasInverse in [true, false] {
            try store.migrate(to: model(hasInverse)) { context in
                let list = try context.named("L", "List")
                #expect(isMany ? list.names("items") == ["a"] : list.one("items")?.text("name") == "a")
                if hasInverse { try #expect(context.named("a", "Item").one("list") === list) }
            }
        }
    }

    @Test("STO-104: values that are not unique are named, and nothing is changed")
    func duplicates() throws {
        let store = try MigratedStore(Self.films()) { context in
            Self.fill(context)
            context.make("Film", ["name": "Ran", "year": 1985])
        }
        let model = Self.films()
        try entity(model, "Film").uniquenessConstraints = [["name"]]
        let error = try store.error(migratingTo: model)
        #expect(error.code == NSMigrationConstraintViolationError)
        #expect(error.localizedDescription.contains("have the same values"))
        try store.open(Self.films(), options: nil) { context in
            let double = try #require(try context.all("Film").first { $0.number("year") == 1985 })
            context.delete(double)
            try context.save()
        }
        try store.migrate(to: model) { context in
            try #expect(Self.names(context).count == 5)
            context.make("Film", ["name": "Ran"])
            #expect(throws: NSError.self) { try context.save() }
            context.rollback()
        }
    }

    @Test("STO-97: optional becomes required: with nils only if there is a default value")
    func required() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let model = Self.films()
        try #require(entity(model, "Film").attributesByName["year"]).isOptional = false
        let error = try store.error(migratingTo: model)
        #expect(error.code == NSMigrationError)
        #expect(error.localizedDescription.contains("“Film.year” is required now: the object p"))
        #expect(error.userInfo["entity"] as? String == "Film")
        let withDefault = Self.films()
        let year = try #require(entity(withDefault, "Film").attributesByName["year"])
        (year.isOptional, year.defaultValue) = (false, 1900)
        try store.migrate(to: withDefault) { try #expect($0.named("Anonymous", "Film").number("year") == 1900) }
        let without = Self.films()
        try entity(without, "Film").properties += [Maker.attribute("length", .integer32, isOptional: false)]
        try #expect(store.error(migratingTo: without).localizedDescription.contains("Film.length"))
    }

    @Test("STO-94: a changed type is refused, and the error says how it could be done")
    func type() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let model = Self.films()
        try #require(entity(model, "Film").attributesByName["year"]).type = .integer32
        let error = try store.error(migratingTo: model)
        #expect(error.code == NSMigrationMissingMappingModelError)
        #expect(error.localizedDescription.contains("Integer 16"))
    }

    @Test("STO-93: entities of two families can't get one parent")
    func merge() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let newer = Self.family { maker in
            maker.entity("Thing", [Maker.attribute("name", .string)])
            maker.entity("Film", parent: "Thing", [Maker.attribute("year", .integer16)])
            maker.entity("Director", parent: "Thing")
            maker.relate("Director", "films", .many, "Film", "director", .one)
        }
        try #expect(store.error(migratingTo: newer).localizedDescription.contains("no common parent"))
    }

    @Test("B54: what would be lost is named, with a likely rename, if the description does not allow it")
    func losses() throws {
        func model(isRenamed: Bool) throws -> NSManagedObjectModel {
            let model = Self.films()
            let film = try entity(model, "Film")
            let title = Maker.attribute("title", .string)
            if isRenamed { title.renamingIdentifier = "name" }
            film.properties = film.properties.filter { $0.name != "name" } + [title]
            return model
        }
        let store = try MigratedStore(Self.films(), Self.fill)
        let options = MigratedStore.automatic.merging([OpenCoreDataAllowsLosingValuesOption: false]) { $1 }
        let error = try store.error(migratingTo: model(isRenamed: false), options: options)
        #expect(error.localizedDescription.contains("5 values are lost"))
        #expect(error.localizedDescription.contains("set the renaming identifier of “Film.title” to “name”"))
        try store.migrate(to: model(isRenamed: true), options: options) { context in
            try #expect(context.all("Film", by: "title").compactMap { $0.text("title") }.count == 5)
        }
    }

    @Test("STO-108: an older model migrates a newer store back")
    func back() throws {
        let model = Self.films()
        try entity(model, "Film").properties += [Maker.attribute("rating", .double)]
        let store = try MigratedStore(model, Self.fill)
        try store.migrate(to: Self.films()) { try #expect(Self.names($0).count == 5) }
        try store.migrate(to: model) { try #expect(Self.names($0).count == 5) }
    }

    @Test("STO-70, STO-90: without the options a store is refused as before; with the first one alone a mapping model is missed")
    func options() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let model = Self.films()
        try entity(model, "Film").properties += [Maker.attribute("rating", .double)]
        let none = try store.error(migratingTo: model, options: [:])
        #expect(none.code == NSPersistentStoreIncompatibleVersionHashError)
        let one = try store.error(migratingTo: model, options: [NSMigratePersistentStoresAutomaticallyOption: true])
        #expect(one.code == NSMigrationMissingMappingModelError)
        let readOnly = MigratedStore.automatic.merging([NSReadOnlyPersistentStoreOption: true]) { $1 }
        try #expect(store.error(migratingTo: model, options: readOnly).code == NSPersistentStoreIncompatibleVersionHashError)
    }

    @Test("STO-91, B53: the model is found in a folder; without it the error says where it was looked for")
    func sourceModel() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        try Database(store.url).execute("DELETE FROM Z_MODELCACHE")
        let model = Self.films()
        try entity(model, "Film").properties += [Maker.attribute("rating", .double)]
        let error = try store.error(migratingTo: model)
        #expect(error.code == NSMigrationMissingSourceModelError)
        #expect(error.localizedDescription.contains("Looked for in the store itself"))
        let folder = store.folder.file("Old.momd")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Self.films().compiledData().write(to: folder.appendingPathComponent("Old.mom"))
        let options = MigratedStore.automatic.merging([OpenCoreDataModelFoldersOption: store.folder.url]) { $1 }
        try store.migrate(to: model, options: options) { try #expect(Self.names($0).count == 5) }
    }

    @Test("A store that keeps a history keeps it: changes name the new entities, and the properties at their new places")
    func history() throws {
        let options: [String: Any] = [NSPersistentHistoryTrackingKey: true]
        let store = try MigratedStore(Self.films(), options: options, Self.fill)
        try store.open(Self.films(), options: options) { context in
            try context.named("Ran", "Film").set("year", 1985)
            try context.save()
            context.delete(try context.named("Ikiru", "Film"))
            try context.save()
        }
        let model = Self.films { maker in maker.entity("Award", [Maker.attribute("name", .string)]) }
        let film = try entity(model, "Film")
        film.properties.append(Maker.attribute("country", .string))
        try store.open(model, options: MigratedStore.automatic) { context in
            try #expect(context.named("Ran", "Film").number("year") == 1985)
        }
        try store.verify()
        let database = try Database(store.url)
        let number = try #require(try database.text("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Film'"))
        #expect(number == "3")
        let changes = try database.rows(
            "SELECT ZCHANGETYPE, ZENTITY, hex(ZCOLUMNS) FROM ACHANGE WHERE ZCHANGETYPE > 0 ORDER BY Z_PK")
        // Properties are country, name, year, director: the year's bit is the third now.
        #expect(changes.contains(["1", number, "20"]))
        #expect(changes.contains(["2", number, ""]))
    }

    @Test("Values in files of their own stay there, come into the table when they must, and go with their attribute")
    func externalData() throws {
        func model(_ isExternal: Bool?) -> NSManagedObjectModel {
            Self.family { maker in
                var attributes = [Maker.attribute("name", .string)]
                if let isExternal {
                    let image = Maker.attribute("image", .binaryData)
                    image.allowsExternalBinaryDataStorage = isExternal
                    image.versionHashModifier = isExternal ? "external" : nil
                    attributes.append(image)
                }
                maker.entity("Film", attributes)
            }
        }
        let (small, large) = (Data([1, 2, 3]), Data((0..<200_000).map { UInt8($0 % 251) }))
        let file = UUID().uuidString
        /// A store of which one value is in a file, as Apple's framework writes it.
        func makeStore() throws -> MigratedStore {
            let store = try MigratedStore(model(true)) { context in
                context.make("Film", ["name": "large", "image": small])
                context.make("Film", ["name": "small", "image": small])
            }
            try store.folder.write(large, to: ".store_SUPPORT/_EXTERNAL_DATA/\(file)")
            let bytes = ([2] + Array(file.utf8) + [0]).map { String(format: "%02x", $0) }.joined()
            try Database(store.url).execute("UPDATE ZFILM SET ZIMAGE = x'\(bytes)' WHERE ZNAME = 'large'")
            return store
        }
        func hasFile(_ store: MigratedStore) -> Bool {
            FileManager.default.fileExists(atPath: store.folder.file(".store_SUPPORT/_EXTERNAL_DATA/\(file)").path)
        }
        let store = try makeStore()
        let renamed = model(true)
        try entity(renamed, "Film").properties.append(Maker.attribute("year", .integer16))
        try store.migrate(to: renamed) { context in
            try #expect(context.named("large", "Film").value(forKey: "image") as? Data == large)
        }
        #expect(hasFile(store))
        for isExternal in [false, true] {
            try store.migrate(to: model(isExternal)) { context in
                try #expect(context.named("large", "Film").value(forKey: "image") as? Data == large)
                try #expect(context.named("small", "Film").value(forKey: "image") as? Data == small)
            }
            #expect(!hasFile(store))
        }
        let other = try makeStore()
        try other.migrate(to: model(nil)) { try #expect(Self.names($0).count == 2) }
        #expect(!hasFile(other))
    }

    @Test("STO-103: an atomic store is migrated by copying its objects")
    func atomic() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("films.plist")
        let stack = try OwnStack<ListStore>(Self.films(), ListStore.storeType, at: url, options: nil)
        try stack.context.run { (context: NSManagedObjectContext) throws in
            Self.fill(context)
            try context.save()
        }
        try stack.coordinator.remove(stack.store)
        try folder.write(Self.films().compiledData(), to: "Films.mom")
        let model = Self.films()
        try entity(model, "Film").properties.append(Maker.attribute("genre", .string, default: "drama"))
        let options = MigratedStore.automatic.merging([OpenCoreDataModelFoldersOption: folder.url]) { $1 }
        let newer = try OwnStack<ListStore>(model, ListStore.storeType, at: url, options: options)
        try newer.context.run { (context: NSManagedObjectContext) throws in
            let films = try context.all("Film")
            #expect(films.count == 5 && films.allSatisfy { $0.text("genre") == "drama" })
            try #expect(context.named("Kurosawa", "Director").names("films") == ["Ran", "Ikiru", "Rashomon"])
        }
    }

    @Test("Derived attributes that are new are computed; composite attributes and their elements come and go")
    func derived() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let model = Self.films()
        let count = NSDerivedAttributeDescription()
        (count.name, count.type) = ("filmCount", .integer64)
        count.derivationExpression = try _NSExpression(validating: "films.@count")
        let upper = NSDerivedAttributeDescription()
        (upper.name, upper.type) = ("upperName", .string)
        upper.derivationExpression = try _NSExpression(validating: "uppercase:(name)")
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [Maker.attribute("city", .string, default: "Tokyo"), Maker.attribute("zip", .integer32)]
        try entity(model, "Director").properties += [count, upper, place]
        try store.migrate(to: model) { context in
            let kurosawa = try context.named("Kurosawa", "Director")
            #expect(kurosawa.number("filmCount") == 3)
            #expect(kurosawa.text("upperName") == "KUROSAWA")
            kurosawa.set("place", ["city": "Kyoto", "zip": 600] as [String: Any])
            context.make("Film", ["name": "Dreams", "director": kurosawa])
            try context.save()
        }
        let newer = Self.films()
        let other = NSCompositeAttributeDescription()
        other.name = "home"
        other.renamingIdentifier = "place"
        let town = Maker.attribute("town", .string)
        town.renamingIdentifier = "city"
        other.elements = [town]
        try entity(newer, "Director").properties += [other]
        try store.migrate(to: newer) { context in
            let home = try context.named("Kurosawa", "Director").value(forKey: "home") as? [String: Any]
            #expect(home?["town"] as? String == "Kyoto")
        }
    }

    @Test("STO-132: a store that is in use is not migrated")
    func inUse() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let model = Self.films()
        try entity(model, "Film").properties += [Maker.attribute("rating", .double)]
        try store.open(Self.films(), options: nil) { context in
            _ = try Self.names(context)
            let error = #expect(throws: NSError.self) {
                try store.open(model, options: MigratedStore.automatic.merging([NSPersistentStoreTimeoutOption: 0]) { $1 }) { _ in
                }
            }
            #expect(error?.code == NSPersistentStoreTimeoutError)
        }
        try store.migrate(to: model) { try #expect(Self.names($0).count == 5) }
    }

    @Test("A backup is kept on request")
    func backup() throws {
        let store = try MigratedStore(Self.films(), Self.fill)
        let model = Self.films()
        try entity(model, "Film").properties += [Maker.attribute("rating", .double)]
        let description = NSPersistentStoreDescription(url: store.url)
        description.keepsBackupOfMigratedStore = true
        try store.migrate(to: model, options: description.options) { _ in }
        let copy = store.folder.file("store-before-migration.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.films())
        try coordinator.addPersistentStore(type: .sqlite, at: copy)
    }
}
