import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Optional or not, number or flag: what generators have got wrong.
@Entity final class Grid: NSManagedObject {
    var optionalNumber: Int32?
    var number: Int32 = 0
    var optionalFlag: Bool?
    var flag: Bool = false
}

@Entity final class Contrary: NSManagedObject {
    @Relationship(inverse: \Contrary.two) var one: Contrary?
    @Relationship(inverse: \Contrary.three) var two: Contrary?
    @Relationship(inverse: nil) var three: Contrary?
}

@Entity final class Selectable: NSManagedObject {
    var name: String
    @Attribute(.transient) var isSelected: Bool = false
    @Attribute(.transient) var hint: String?
    var tags: Tags = []
}

@Suite("Reports about generated and hand-written classes")
struct ClassReportTests {
    @Test("B17: optional makes the Swift type optional, required does not, and no type is an NSNumber")
    func optionalNumbers() throws {
        // The compiler proves the types.
        let keys: (TypedKey<Grid, Int32?>, TypedKey<Grid, Int32>, TypedKey<Grid, Bool?>, TypedKey<Grid, Bool>) = (
            Grid.keys.optionalNumber, Grid.keys.number, Grid.keys.optionalFlag, Grid.keys.flag
        )
        let attributes = try #require(try NSManagedObjectModel(Grid.self).entitiesByName["Grid"]).attributesByName
        let names = [keys.0.storedName, keys.1.storedName, keys.2.storedName, keys.3.storedName]
        #expect(names.map { attributes[$0]?.isOptional } == [true, false, true, false])
        #expect(names.map { attributes[$0]?.type } == [.integer32, .integer32, .boolean, .boolean])
    }

    @Test("B16, B17: nil and zero are different in the store and in predicates")
    func nilIsNotZero() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore(NSPersistentContainer(name: "Grid", entities: Grid.self), at: folder.file("grid.sqlite"))
        try store.run { (context: NSManagedObjectContext) throws in
            _ = Grid(context: context)
            _ = Grid(context: context, optionalNumber: 0, optionalFlag: false)
            try context.save()
        }
        try store.fresh { (context: NSManagedObjectContext) throws in
            #expect(try context.fetch(Grid.self, where: \.optionalNumber == nil).map(\.optionalFlag) == [nil])
            #expect(try context.fetch(Grid.self, where: \.optionalNumber == 0).map(\.optionalFlag) == [false])
            #expect(try context.count(of: Grid.self, where: #Predicate { $0.optionalFlag == false }) == 1)
        }
    }

    @Test("B23: inverses that contradict each other are an error that names them")
    func contradictingInverses() {
        let error = #expect(throws: NSError.self) { try NSManagedObjectModel(Contrary.self) }
        #expect(error?.localizedDescription.contains("Contrary.two: “two” has two inverses, “one” and “three”") == true)
    }

    @Test(
        "B27, B28: arrays of an ordered relationship add, insert, remove and replace, with the inverse, in one event, in that order"
    )
    func orderedRelationship() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        try store.run { (context: NSManagedObjectContext) throws in
            let movie = Movie(context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "K"))
            let scenes = "abcde".map { Scene(context: context, text: "\($0)") }
            try context.save()
            // The notification is posted on this thread.
            nonisolated(unsafe) var events: [[Movie]] = []
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
            ) { notification in
                events.append(notification.updatedManagedObjects())
            }
            defer { NotificationCenter.default.removeObserver(token) }
            func expect(_ texts: String, _ change: () -> Void) {
                change()
                #expect(movie.scenes.map(\.text).joined() == texts)
                for scene in scenes { #expect((scene.movie === movie) == movie.scenes.contains(scene)) }
                context.processPendingChanges()
                #expect(events == [[movie]])
                events = []
            }
            expect("a") { movie.scenes.append(scenes[0]) }
            expect("abc") { movie.scenes += scenes[1...2] }
            expect("dabc") { movie.scenes.insert(scenes[3], at: 0) }
            expect("dac") { movie.scenes.remove(at: 2) }
            expect("eac") { movie.scenes[0] = scenes[4] }
            expect("edbc") { movie.scenes.replaceSubrange(1...1, with: [scenes[3], scenes[1]]) }
            expect("cedb") { movie.scenes.insert(movie.scenes.removeLast(), at: 0) }
            try context.save()
        }
        try store.fresh { (context: NSManagedObjectContext) throws in
            #expect(try context.fetch(Movie.self).first?.scenes.map(\.text).joined() == "cedb")
        }
    }

    @Test("B29: the types of relationships leave no choice of the wrong collection")
    func collectionTypes() {
        let keys: (TypedKey<Movie, [Scene]>, TypedKey<Director, Set<Movie>>) = (Movie.keys.scenes, Director.keys.movies)
        #expect(keys.0.storedName == "scenes" && keys.1.storedName == "movies")
    }

    @Test("B30: dates, data and their like are Swift's value types, by property and by key")
    func valueTypes() throws {
        let keys:
            (
                TypedKey<Nullable, Date?>, TypedKey<Nullable, Data?>, TypedKey<Nullable, UUID?>, TypedKey<Nullable, URL?>,
                TypedKey<Nullable, Decimal?>
            ) = (Nullable.keys.date, Nullable.keys.data, Nullable.keys.uuid, Nullable.keys.url, Nullable.keys.decimal)
        try TestStore(NSPersistentContainer(name: "x", entities: Nullable.self)).run { (context: NSManagedObjectContext) throws in
            let url = try #require(URL(string: "https://example.com"))
            let object = Nullable(context: context, decimal: 1.5, date: .distantPast, data: Data([1]), uuid: UUID(), url: url)
            #expect(object.value(forKey: keys.0.storedName) as? Date == .distantPast)
            #expect(object.value(forKey: keys.1.storedName) as? Data == Data([1]))
            #expect(object.value(forKey: keys.2.storedName) as? UUID == object.uuid)
            #expect(object.value(forKey: keys.3.storedName) as? URL == url)
            #expect(object.value(forKey: keys.4.storedName) as? NSDecimalNumber == 1.5)
        }
    }

    @Test("a transient attribute has its default in each new instance, is kept while the object is loaded, and is not stored")
    func transient() throws {
        let folder = try TemporaryFolder()
        let file = folder.file("selectable.sqlite")
        let store = try TestStore(NSPersistentContainer(name: "x", entities: Selectable.self), at: file)
        try store.run { (context: NSManagedObjectContext) throws in
            let object = Selectable(context: context, name: "a")
            #expect(!object.isSelected && object.hint == nil)
            (object.isSelected, object.hint) = (true, "h")
            try context.save()
            #expect(object.isSelected && object.hint == "h" && !object.hasChanges)
            context.refresh(object, mergeChanges: false)
            #expect(!object.isSelected && object.hint == nil)
        }
        #expect(try Database(file).text("SELECT COUNT(*) FROM pragma_table_info('ZSELECTABLE') WHERE name LIKE '%HINT%'") == "0")
    }

    @Test("an option set is stored as its raw value, and found by it")
    func optionSet() throws {
        let folder = try TemporaryFolder()
        let store = try TestStore(NSPersistentContainer(name: "x", entities: Selectable.self), at: folder.file("x.sqlite"))
        try store.run { (context: NSManagedObjectContext) throws in
            let object = Selectable(context: context, name: "a", tags: [.classic])
            object.tags.insert(.silent)
            try context.save()
            #expect(object.value(forKey: "tags") as? Int16 == 3)
        }
        try store.fresh { (context: NSManagedObjectContext) throws in
            let found = try context.fetch(Selectable.self, where: \.tags == [.classic, .silent])
            #expect(found.map { $0.tags.contains(.silent) } == [true])
            #expect(try context.count(of: Selectable.self, groupedBy: \.name) == ["a": 1])
        }
    }
}
