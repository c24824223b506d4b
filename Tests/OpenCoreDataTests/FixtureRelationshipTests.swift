import OpenCoreData
import TestSupport
import Testing

@Suite("Relationships in stores that Apple's framework wrote", .enabled(if: Fixtures.hasOracles))
struct FixtureRelationshipTests {
    private func names(_ keys: Int..., entity: String = "BookmarkEntity") -> [String] { keys.map { "\(entity)/p\($0)" } }

    @Test("An ordered to-many relationship: reordered, moved into, moved out of, and put in the middle")
    func orderedToMany() throws {
        let store = try StoreRoundTrip("ddg-bookmarks-v1", saves: 2) { store in
            let root = try store.object("BookmarkEntity/p10")
            let folder = try store.object("BookmarkEntity/p7")
            #expect(
                root.ordered("children").map { $0.objectID.uriRepresentation().lastPathComponent } == [
                    "p4", "p2", "p7", "p8", "p6",
                ])
            root.setOrdered("children", root.ordered("children").reversed())
            let favorites = try store.object("BookmarkEntity/p9")
            favorites.setOrdered(
                "favorites", favorites.ordered("favorites").dropFirst() + [try store.object("BookmarkEntity/p4")])
            try store.save()
            var children = root.ordered("children")
            children.insert(try store.object("BookmarkEntity/p1"), at: 1)
            let new = store.insert("BookmarkEntity")
            new.setValue("new", forKey: "title")
            children.insert(new, at: 3)
            root.setOrdered("children", children)
            #expect(folder.ordered("children").map { $0.objectID.uriRepresentation().lastPathComponent } == ["p5", "p3"])
            #expect(new.value(forKey: "parent") as? NSManagedObject === root)
            try store.save()
        }
        #expect(store.destinations("BookmarkEntity/p10", "children") == names(6, 1, 8, 11, 7, 2, 4))
        #expect(store.destinations("BookmarkEntity/p7", "children") == names(5, 3))
        #expect(store.destinations("BookmarkEntity/p9", "favorites") == names(8, 1, 3, 2, 4))
        #expect(store.destinations("BookmarkEntity/p4", "favoriteFolder") == names(9))
        #expect(store.destinations("BookmarkEntity/p6", "favoriteFolder") == [])
        #expect(store.destinations("BookmarkEntity/p11", "parent") == names(10))
    }

    @Test("A many-to-many relationship of an entity with itself, one side ordered, changed from both sides")
    func orderedManyToMany() throws {
        let store = try StoreRoundTrip("ddg-bookmarks-v5") { store in
            let favorites = try store.object("BookmarkEntity/p6")
            let list = favorites.ordered("favorites")
            #expect(list.map { $0.objectID.uriRepresentation().lastPathComponent } == ["p3", "p1", "p9", "p2", "p10"])
            favorites.setOrdered("favorites", [list[4], list[0], list[2]])
            #expect(list[1].members("favoriteFolders").isEmpty)
            let fromOtherSide = try store.object("BookmarkEntity/p7")
            fromOtherSide.setMembers("favoriteFolders", [favorites, try store.object("BookmarkEntity/p8")])
            #expect(favorites.ordered("favorites").last === fromOtherSide)
            try store.save()
        }
        #expect(store.destinations("BookmarkEntity/p6", "favorites") == names(10, 3, 9, 7))
        #expect(store.destinations("BookmarkEntity/p8", "favorites") == names(7))
        #expect(store.destinations("BookmarkEntity/p7", "favoriteFolders") == names(6, 8))
        #expect(store.destinations("BookmarkEntity/p1", "favoriteFolders") == [])
    }

    @Test("Many-to-many relationships between entities with parents, from both sides, with new and with old objects")
    func manyToManyWithInheritance() throws {
        let store = try StoreRoundTrip("wwdc-themedoc-2", saves: 2) { store in
            let productions = try (1...4).map { try store.object("PhotoshopElementProduction/p\($0)") }
            let tag = store.insert("Tag")
            tag.setMembers("productions", Set(productions[0...2]))
            try store.save()
            #expect(productions[1].members("tags") == [tag])
            tag.setMembers("productions", [productions[0], productions[3]])
            let other = store.insert("Tag")
            productions[0].setMembers("tags", [tag, other])
            try store.save()
        }
        let tag = try #require(
            store.after.objects.first { $0.value.entity == "Tag" && $0.value.relationships["productions"]?.count == 2 })
        let name = tag.key.split(separator: "/").suffix(2).joined(separator: "/")
        #expect(store.destinations(name, "productions") == names(1, 4, entity: "PhotoshopElementProduction"))
        #expect(store.destinations("PhotoshopElementProduction/p1", "tags")?.count == 2)
        #expect(store.destinations("PhotoshopElementProduction/p2", "tags") == [])
        #expect(store.destinations("PhotoshopElementProduction/p4", "tags") == [name])
    }

    @Test("A many-to-many relationship without order")
    func manyToMany() throws {
        let store = try StoreRoundTrip("carekit-2.0") { store in
            let tasks = try (1...3).map { try store.object("OCKCDTask/p\($0)") }
            for index in 0...1 {
                store.insert("OCKCDNote").setMembers("task", Set(tasks[index...]))
            }
            #expect(tasks[0].members("notes").count == 1)
            #expect(tasks[2].members("notes").count == 2)
            try store.save()
        }
        #expect(store.destinations("OCKCDTask/p1", "notes")?.count == 1)
        #expect(store.destinations("OCKCDTask/p2", "notes")?.count == 2)
        #expect(store.destinations("OCKCDTask/p3", "notes")?.count == 2)
    }

    @Test("A fetch of a parent entity finds the objects of its subentities, as objects of theirs")
    func inheritance() throws {
        let folder = try TemporaryFolder()
        let store = try StoreCase.named("cdp-samplemodel-v2")
        let session = try StoreSession(folder.copyStore(store.fixture.store), try store.model())
        try session.context.run { context in
            func count(_ entity: String, subentities: Bool = true) throws -> Int {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.includesSubentities = subentities
                let objects = try context.fetch(request)
                #expect(try context.count(for: request) == objects.count)
                return objects.count
            }
            #expect(try count("Car") == 125)
            #expect(try count("Car", subentities: false) == 115)
            #expect(try count("SportCar") == 10)
            #expect(try count("SportCar", subentities: false) == 5)
            #expect(try count("LuxuryCar") == 5)
            let cars = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Car"))
            #expect(
                Dictionary(grouping: cars) { $0.entity.name ?? "" }.mapValues(\.count) == [
                    "Car": 115, "SportCar": 5, "LuxuryCar": 5,
                ])
            let owned = cars.filter { $0.value(forKey: "owner") != nil }
            for car in owned { #expect((car.value(forKey: "owner") as? NSManagedObject)?.members("cars").contains(car) == true) }
            #expect(owned.count > 100)
        }
        try session.close()
    }

    @Test(
        "A fetch of an abstract entity finds the objects below it",
        arguments: [("plaso-knowledgec-10.13", "Object", 21), ("wwdc-themedoc-2", "ElementProduction", 20)])
    func abstractParent(store: String, entity: String, count: Int) throws {
        let folder = try TemporaryFolder()
        let store = try StoreCase.named(store)
        let session = try StoreSession(folder.copyStore(store.fixture.store), try store.model())
        let found = try session.context.run { try $0.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).count }
        #expect(found == count)
        try session.close()
    }

    @Test("Transformable values come out of their keyed archives")
    func archives() throws {
        let folder = try TemporaryFolder()
        let books = try StoreCase.named("bookmigration-model1")
        var session = try StoreSession(folder.copyStore(books.fixture.store), try books.model())
        try session.context.run { context in
            let titles = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).map {
                $0.value(forKey: "fileURL") as? String
            }
            #expect(Set(titles) == ["The Trial.file", "Cosmos.file", "Metamorphosis.file", "Extinction.file"])
        }
        try session.close()
        let contacts = try StoreCase.named("carekit-2.0")
        session = try StoreSession(folder.copyStore(contacts.fixture.store), try contacts.model())
        try session.context.run { context in
            for contact in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "OCKCDContact")) {
                #expect(
                    contact.value(forKey: "phoneNumbersDictionary") as? [String: String] == ["_$!<Work>!$_": "(324) 555-7415"])
            }
        }
        try session.close()
    }

    @Test("Sorted fetches with limit and offset agree with sorting the dump")
    func sorting() throws {
        let folder = try TemporaryFolder()
        let store = try StoreCase.named("srg-userdata-v5")
        let model = try store.model()
        let session = try StoreSession(folder.copyStore(store.fixture.store), model)
        let golden = try StoreContents(store.golden(), model)
        let dates = golden.objects.values.compactMap { object -> Double? in
            if case .date(let seconds)? = object.attributes["date"] { seconds } else { nil }
        }.sorted(by: >)
        #expect(dates.count == 103)
        try session.context.run { context in
            let request = NSFetchRequest<NSManagedObject>(entityName: "HistoryEntry")
            request.sortDescriptors = [NSSortDescriptor(key: "date", ascending: false)]
            request.fetchOffset = 10
            request.fetchLimit = 5
            let found = try context.fetch(request).compactMap {
                ($0.value(forKey: "date") as? Date)?.timeIntervalSinceReferenceDate
            }
            #expect(found.count == 5)
            for (here, there) in zip(found, dates[10..<15]) { #expect(abs(here - there) < 1.1e-6) }
        }
        try session.close()
    }
}
