import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Typed batches")
struct TypedBatchTests {
    enum Kind: String, CaseIterable, Sendable { case memory, file }

    /// Kurosawa with Ran, Ikiru and the sequel Sanjuro; Leone with one movie.
    private struct Setting {
        let folder: TemporaryFolder
        let store: TestStore
        let other: NSManagedObjectContext

        init(_ kind: Kind) throws {
            folder = try TemporaryFolder()
            store = try TestStore.cinema(at: kind == .file ? folder.file("cinema.sqlite") : nil)
            other = store.container.newBackgroundContext()
            try store.fresh { context in
                let kurosawa = Director(context: context, name: "Akira Kurosawa")
                let leone = Director(context: context, name: "Sergio Leone")
                _ = Movie(context: context, imdbID: "1", title: "Ran", director: kurosawa, userRating: 8.2, duration: 162)
                _ = Movie(context: context, imdbID: "2", title: "Ikiru", director: kurosawa, duration: 143)
                _ = SecondPart(context: context, imdbID: "3", title: "Sanjuro", director: kurosawa, duration: 96)
                _ = Movie(context: context, imdbID: "4", title: "A Fistful of Dollars", director: leone, duration: 99)
                try context.save()
            }
        }

        func titles() throws -> [String] {
            try store.fresh { try $0.fetch(Movie.self, sortedBy: [SortDescriptor(\.imdbID)]).map(\.title) }
        }
    }

    private final class Log {
        private(set) var lines: [String] = []

        func add(_ changes: ManagedObjectChanges<Movie>) {
            lines.append("\(changes.origin) +\(changes.inserted.count) *\(changes.updated.count) -\(changes.deleted.count)")
        }

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }
    }

    @Test("B08: a batch delete is one event, and live queries and further contexts hear of it", arguments: Kind.allCases)
    func deleting(_ kind: Kind) throws {
        let setting = try Setting(kind)
        let log = Log()
        nonisolated(unsafe) var otherResults: FetchedResults<Movie>?
        try setting.other.performAndWait { otherResults = try FetchedResults(Movie.fetchRequest(), in: setting.other) }
        try setting.store.run { context throws in
            let results = try FetchedResults(Movie.fetchRequest(), in: context)
            let held = try context.fetch(Movie.self, sortedBy: [SortDescriptor(\.imdbID)])
            let observation = context.observe(Movie.self) { log.add($0) }
            held[1].title = "dropped"
            let ids = try context.batchDelete(
                Movie.self, where: #Predicate { $0.duration > 140 }, mergingInto: [setting.other])
            #expect(Set(ids) == Set(held.prefix(2).map(\.typedID)))
            #expect(log.take() == ["merge +0 *0 -2"])
            #expect(Set(results.map(\.title)) == ["Sanjuro", "A Fistful of Dollars"] && held[0].isDeleted)
            try context.save()
            #expect(try context.batchDelete(Movie.self, where: Movie.keys.title == "nothing").isEmpty)
            #expect(log.take().isEmpty)
            withExtendedLifetime(observation) {}
        }
        setting.other.performAndWait {
            #expect(otherResults?.count == 2)
            otherResults = nil
        }
        #expect(try setting.titles() == ["Sanjuro", "A Fistful of Dollars"])
    }

    @Test("FET-213, B08: rows that a delete rule takes along are told of, too", arguments: Kind.allCases)
    func cascade(_ kind: Kind) throws {
        let setting = try Setting(kind)
        let log = Log()
        try setting.store.run { context throws in
            let results = try FetchedResults(Movie.fetchRequest(), in: context)
            let observation = context.observe(Movie.self) { log.add($0) }
            let ids = try context.batchDelete(Director.self, where: Director.keys.name == "Akira Kurosawa")
            #expect(ids.count == 1)
            #expect(log.take() == ["merge +0 *0 -3"] && results.map(\.title) == ["A Fistful of Dollars"])
            withExtendedLifetime(observation) {}
        }
        #expect(try setting.titles() == ["A Fistful of Dollars"])
    }

    @Test(
        "B08: a batch update is one event; unsaved changes stay over it, and saving them is no conflict", arguments: Kind.allCases
    )
    func updating(_ kind: Kind) throws {
        let setting = try Setting(kind)
        let log = Log()
        try setting.store.run { context throws in
            let request = Movie.fetchRequest()
            request.predicate = (Movie.keys.genre == .western).predicate
            let results = try FetchedResults(request, in: context)
            let held = try context.fetch(Movie.self, sortedBy: [SortDescriptor(\.imdbID)])
            #expect(held.map(\.duration) == [162, 143, 96, 99])
            held[1].title = "Living"
            let observation = context.observe(Movie.self) { log.add($0) }
            let ids = try context.batchUpdate(
                Movie.self, where: \.duration < 150, set: .init(\.genre, to: .western), .init(\.userRating, to: nil),
                .init(\.duration, to: 1))
            #expect(Set(ids) == Set(held.dropFirst().map(\.typedID)))
            #expect(log.lines.last == "merge +0 *3 -0")
            #expect(held.map(\.duration) == [162, 1, 1, 1] && held[1].title == "Living" && held[0].userRating == 8.2)
            #expect(results.count == 3)
            try context.save()
            try context.batchUpdate(SecondPart.self, set: .init(\.part, to: 3))
            #expect((held[2] as? SecondPart)?.part == 3)
            withExtendedLifetime(observation) {}
        }
        #expect(try setting.titles() == ["Ran", "Living", "Sanjuro", "A Fistful of Dollars"])
        try setting.store.fresh { context throws in
            #expect(try context.count(of: Movie.self, where: #Predicate { $0.duration == 1 }) == 3)
            #expect(try context.fetch(SecondPart.self).map(\.part) == [3])
        }
    }

    @Test("A batch update sets values of every kind, required ones without default included", arguments: Kind.allCases)
    func valueTypes(_ kind: Kind) throws {
        let folder = try TemporaryFolder()
        let store = try TestStore(
            NSPersistentContainer(name: "Studio", entities: Studio.self), at: kind == .file ? folder.file("studio.sqlite") : nil)
        try store.run { context in
            _ = Studio.make(in: context)
            try context.save()
            try context.batchUpdate(
                Studio.self, set: .init(\.title, to: "New"), .init(\.budget, to: Money(cents: 3)), .init(\.reserve, to: nil),
                .init(\.tags, to: [.silent]), .init(\.optionalTags, to: [.classic]), .init(\.strict, to: .western),
                .init(\.shot, to: Shot(name: "b", seconds: 2)), .init(\.lastShot, to: Shot(name: "c", seconds: 3)),
                .init(\.counts, to: ["x": 1]), .init(\.address, to: Address(street: "Way 2")),
                .init(\.paint, to: Color(name: "blue")),
                .init(\.byte, to: 7), .init(\.result, to: .success(.comedy)))
        }
        try store.fresh { context in
            let studio = try #require(try context.fetch(Studio.self).first)
            #expect(studio.title == "New" && studio.budget == Money(cents: 3) && studio.reserve == nil && studio.byte == 7)
            #expect(studio.tags == .silent && studio.optionalTags == .classic && studio.strict == .western)
            #expect(studio.shot == Shot(name: "b", seconds: 2) && studio.lastShot == Shot(name: "c", seconds: 3))
            #expect(
                studio.counts == ["x": 1] && studio.address == Address(street: "Way 2") && studio.paint == Color(name: "blue"))
            #expect(try studio.result.get() == .comedy)
        }
        let setting = try Setting(kind)
        try setting.store.run { context in
            try context.batchUpdate(Director.self, set: .init(\.name, to: "b"))
            #expect(Set(try context.fetch(Director.self).map(\.name)) == ["b"])
        }
    }

    @Test("B08: a batch insert is one event with the new objects", arguments: Kind.allCases)
    func inserting(_ kind: Kind) throws {
        let setting = try Setting(kind)
        let log = Log()
        try setting.store.run { context throws in
            let results = try FetchedResults(Scene.fetchRequest(), in: context)
            let directors = try FetchedResults(Director.fetchRequest(), in: context)
            let ids = try context.batchInsert(Scene.self, from: 1...700) { $0.text = "scene \($1)" }
            #expect(ids.count == 700 && results.count == 700 && directors.count == 2)
            #expect(try context[ids[41]].text == "scene 42" && !context.hasChanges)
            let observation = context.observe(Movie.self) { log.add($0) }
            // A required relationship can't be given: an error, and nothing is inserted.
            let error = #expect(throws: NSError.self) {
                try context.batchInsert(Movie.self, from: ["x"]) { movie, title in
                    movie.correct(imdbID: title)
                    movie.title = title
                }
            }
            #expect(error?.code == NSValidationMissingMandatoryPropertyError && log.take().isEmpty)
            struct Enough: Error {}
            #expect(throws: Enough.self) {
                try context.batchInsert(Scene.self, from: 1...9) { if $1 == 5 { throw Enough() } else { $0.text = "no" } }
            }
            #expect(results.count == 700)
            withExtendedLifetime(observation) {}
        }
        #expect(try setting.store.fresh { try $0.count(of: Scene.self) } == 700)
    }

    @Test(
        "A batch that sets a relationship, by whatever way, fails with 134060, and nothing is inserted", arguments: Kind.allCases)
    func relationshipsInBatches(_ kind: Kind) throws {
        let setting = try Setting(kind)
        let elsewhere = try TestStore.cinema()
        try setting.store.run { context throws in
            let director = try #require(try context.fetch(Director.self).first)
            let movie = try #require(try context.fetch(Movie.self).first)
            let stranger = try elsewhere.run { Director(context: $0, name: "of another container") }
            let ways: [(Movie) -> Void] = [
                { $0.director = director }, { $0.director = stranger }, { $0.setValue(director, forKey: "director") },
                { $0.setPrimitiveValue(director, forKey: "director") },
                { director.movies.insert($0) }, { director.mutableSetValue(forKey: "movies").add($0) },
                { $0.scenes = [Scene(context: context, text: "s")] },
                { $0.director = Director(context: $0.managedObjectContext!, name: "beside it") },
            ]
            for (number, way) in ways.enumerated() {
                let error = #expect(throws: NSError.self, "\(number)") {
                    try context.batchInsert(Movie.self, from: ["x"]) { movie, title in
                        movie.correct(imdbID: title)
                        movie.title = title
                        way(movie)
                    }
                }
                #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError, "\(number)")
                #expect(error?.localizedDescription.contains("is a relationship") == true, "\(number)")
            }
            let sequel = #expect(throws: NSError.self) {
                try context.batchInsert(SecondPart.self, from: [1]) { part, _ in part.original = movie }
            }
            #expect(sequel?.localizedDescription.contains("“original” is a relationship") == true)
            #expect(movie.director.movies.allSatisfy { $0.managedObjectContext === context })
            context.rollback()
            #expect(try context.batchInsert(Scene.self, from: 1...2) { scene, _ in scene.text = "still works" }.count == 2)
        }
        #expect(try setting.titles() == ["Ran", "Ikiru", "Sanjuro", "A Fistful of Dollars"])
    }

    @Test("A batch update whose values are not unique says of which property, and no key of the store's")
    func duplicatesInBatches() throws {
        let folder = try TemporaryFolder()
        let vessels = try Vessel.store(at: folder.file("vessels.sqlite"))
        try vessels.run { context throws in
            let error = #expect(throws: NSError.self) { try context.batchUpdate(Vessel.self, set: .init(\.mark, to: "X")) }
            let text = try #require(error).localizedDescription
            #expect(error?.code == NSManagedObjectConstraintMergeError)
            #expect(text.contains("two objects of “") && text.contains("(mark)") && !text.contains("key"))
        }
    }

    @Test(
        "FET-213: a batch over a class whose subclasses alone have entities is one transaction: all is written, or nothing",
        arguments: Kind.allCases)
    func severalEntities(_ kind: Kind) throws {
        let folder = try TemporaryFolder()
        let store = try Vessel.store(at: kind == .file ? folder.file("vessels.sqlite") : nil)
        func names() throws -> [String] {
            try store.fresh { try $0.fetch(Vessel.self, sortedBy: [Vessel.keys.name.ascending]).map(\.name) }
        }
        try store.run { context throws in
            let held = try context.fetch(Vessel.self)
            if kind == .file {
                // The second of two ships with one mark, when the boat has it already. Stores in memory don't check that.
                #expect(throws: NSError.self) { try context.batchUpdate(Vessel.self, set: .init(\.mark, to: "X")) }
                #expect(try store.fresh { try $0.fetch(Vessel.self).compactMap(\.mark) }.isEmpty)
            }
            // A ship with a sailor.
            let error = #expect(throws: NSError.self) { try context.batchDelete(Vessel.self) }
            #expect(error?.code == NSValidationRelationshipDeniedDeleteError)
            #expect(try names() == ["blue", "green", "red"] && !held.contains(where: \.isDeleted))
            let updated = try context.batchUpdate(Vessel.self, where: Vessel.keys.name != "blue", set: .init(\.mark, to: "X"))
            #expect(Set(updated) == Set(held.filter { $0.mark == "X" }.map(\.typedID)) && updated.count == 2)
            let deleted = try context.batchDelete(Vessel.self, where: #Predicate { $0.name == "blue" || $0.name == "none" })
            #expect(deleted.count == 1)
            try context.batchDelete(Sailor.self)
            #expect(try context.batchDelete(Vessel.self).count == 2)
            #expect(try names().isEmpty)
        }
    }

    @Test("Contexts that merge each save by themselves, and the parents of a child, hear of batches", arguments: Kind.allCases)
    func receivers(_ kind: Kind) async throws {
        let setting = try Setting(kind)
        let other = setting.other
        nonisolated(unsafe) var held: [Movie] = []
        try await other.perform {
            other.automaticallyMergesChangesFromParent = true
            held = try other.fetch(Movie.self)
        }
        let changes = other.changes(of: Movie.self).deleted().stream()
        try setting.store.run { context throws in
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            let results = try FetchedResults(Movie.fetchRequest(), in: context)
            try child.performAndWait {
                let held = try child.fetch(Movie.self)
                try child.batchDelete(Movie.self, where: \.title == "Ran")
                #expect(held.filter(\.isDeleted).count == 1)
                #expect(try child.count(of: Movie.self) == 3)
            }
            #expect(results.count == 3)
        }
        for await change in changes {
            await other.perform { #expect(change.deleted.count == 1) }
            break
        }
        await other.perform {
            #expect(held.filter(\.isDeleted).count == 1)
            held = []
        }
    }

    @Test("What a store can't evaluate or does not have is an error before anything is written", arguments: Kind.allCases)
    func mistakes(_ kind: Kind) throws {
        let setting = try Setting(kind)
        try setting.store.run { context throws in
            func code(_ body: () throws -> Void) -> Int? { #expect(throws: NSError.self) { try body() }?.code }
            #expect(code { try context.batchDelete(Movie.self, where: #Predicate { $0.hasChanges }) } == NSCoreDataError)
            #expect(code { try context.batchUpdate(Movie.self) } == NSCoreDataError)
            #expect(code { try context.batchUpdate(SecondPart.self, set: .init(\.original, to: nil)) } == NSCoreDataError)
            #expect(code { try context.batchDelete(Nothing.self) } == NSCoreDataError)
        }
        #expect(try setting.titles().count == 4)
    }
}
