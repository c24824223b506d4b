import CSVStore
import Foundation
import OpenCoreData
import TestSupport
import Testing

@Entity class Film: NSManagedObject {
    @Attribute(.unique) var imdbID: String
    var title: String
    var rating: Double?
    var length: Int32 = 0
    var isColour: Bool = false
    var price: Decimal?
    var premiere: Date?
    var poster: Data?
    var code: UUID?
    var page: URL?
    var director: Person?
    var genres: Set<Genre>
    @Relationship(inverse: \Part.film) var parts: [Part]
}

@Entity final class Serial: Film {
    var episodes: Int16 = 1
}

@Entity final class Person: NSManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Film.director) var films: Set<Film>
}

@Entity final class Genre: NSManagedObject {
    var name: String
    @Relationship(inverse: \Film.genres) var films: Set<Film>
}

@Entity final class Part: NSManagedObject {
    var text: String
    var film: Film?
}

@Suite("A store that is a folder of CSV files") @MainActor
struct CSVStoreTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Films") }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> NSManagedObjectContext {
        CSVStore.register()
        let container = try NSPersistentContainer(
            name: "Films", entities: Film.self, Serial.self, Person.self, Genre.self, Part.self)
        let description = NSPersistentStoreDescription(url: url)
        description.type = CSVStore.storeType
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        return container.viewContext
    }

    private func text(_ file: String) throws -> String {
        try String(contentsOf: url.appendingPathComponent(file), encoding: .utf8)
    }

    private func write(_ file: String, _ text: String) throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: url.appendingPathComponent(file))
    }

    private func writeFilms(_ rows: String, header: String = "objectID,imdbID,title,length,isColour,director") throws {
        try write("Film.csv", header + "\r\n" + rows)
    }

    private func failure() -> CSVError? {
        do {
            _ = try open()
            return nil
        } catch { return error as? CSVError ?? ((error as NSError).userInfo[NSUnderlyingErrorKey] as? CSVError) }
    }

    @Test("Objects with values of all types and relationships of all kinds come back from the files as they were saved")
    func roundTrip() throws {
        let uuid = UUID()
        let premiere = Date(timeIntervalSinceReferenceDate: -123.456_789)
        do {
            let context = try open()
            let kurosawa = Person(context: context, name: "Kurosawa, \"Emperor\"\nAkira")
            let ran = Film(context: context, imdbID: "tt0089881", title: "Ran")
            ran.rating = 8.2
            ran.length = 162
            ran.isColour = true
            ran.price = Decimal(string: "9.90")
            ran.premiere = premiere
            ran.poster = Data([0, 255, 10])
            ran.code = uuid
            ran.page = URL(string: "https://example.org/ran?a=1")
            ran.director = kurosawa
            ran.genres = [Genre(context: context, name: "drama"), Genre(context: context, name: "war")]
            ran.parts = ["b", "a", "c"].map { Part(context: context, text: $0) }
            let serial = Serial(context: context, imdbID: "tt1", title: "")
            serial.episodes = 12
            serial.director = kurosawa
            try context.save()
        }
        let context = try open()
        let ran = try #require(try context.fetch(Film.self, where: #Predicate { $0.imdbID == "tt0089881" }).first)
        #expect(
            ran.title == "Ran" && ran.rating == 8.2 && ran.length == 162 && ran.isColour && ran.price == Decimal(string: "9.9"))
        #expect(ran.premiere == premiere && ran.poster == Data([0, 255, 10]) && ran.code == uuid)
        #expect(ran.page == URL(string: "https://example.org/ran?a=1"))
        #expect(ran.director?.name == "Kurosawa, \"Emperor\"\nAkira")
        #expect(Set(ran.genres.map(\.name)) == ["drama", "war"])
        #expect(ran.parts.map(\.text) == ["b", "a", "c"])
        let serial = try #require(try context.fetch(Serial.self).first)
        #expect(serial.title == "" && serial.rating == nil && serial.episodes == 12)
        #expect(ran.director?.films == [ran, serial])
    }

    @Test("Files that a person has written are a store; what is changed is written, and other files are left alone")
    func writtenByHand() throws {
        try writeFilms("f1,tt1,Ran,162,true,\nf2,tt2,Ikiru,143,false,\n")
        try write("Genre.csv", "objectID,name,films\ng1,drama,f1;f2\ng2,war,f1\n")
        try write("Notes.csv", "what,ever\n")
        let context = try open()
        let films = try context.fetch(Film.self, sortedBy: [SortDescriptor(\.title)])
        #expect(films.map(\.title) == ["Ikiru", "Ran"] && films[1].genres.count == 2 && films[0].genres.count == 1)
        films[0].rating = 8.3
        try context.save()
        #expect(try text("Film.csv").contains("f2"))
        #expect(try text("Film.csv").split(separator: "\r\n").count == 3)
        #expect(try text("Notes.csv") == "what,ever\n")
        #expect(try text("Genre.csv").hasPrefix("objectID,films,name\r\ng1,f1;f2,drama\r\n"))
        #expect(try open().fetch(Film.self, where: #Predicate { ($0.rating ?? 0) > 8 }).map(\.imdbID) == ["tt2"])
    }

    @Test("Typed observers and live results hear of changes, and predicates see them")
    func observation() throws {
        let context = try open()
        let results = try FetchedResults(
            Film.self, where: #Predicate { $0.length > 100 }, sortedBy: [Film.keys.title.ascending], in: context)
        var inserted: [String] = []
        let observation = context.observe(Film.self) { changes in inserted += changes.inserted.map(\.title) }
        let ran = Film(context: context, imdbID: "tt1", title: "Ran")
        ran.length = 162
        let short = Film(context: context, imdbID: "tt2", title: "Short")
        context.processPendingChanges()
        #expect(Set(inserted) == ["Ran", "Short"])
        #expect(results.map(\.title) == ["Ran"])
        try context.save()
        short.length = 101
        context.processPendingChanges()
        #expect(results.map(\.title) == ["Ran", "Short"])
        context.delete(ran)
        try context.save()
        #expect(results.map(\.title) == ["Short"])
        #expect(try open().fetch(Film.self).map(\.title) == ["Short"])
        observation.cancel()
    }

    @Test("An object's ID leads to it when the folder is opened again")
    func objectIDs() throws {
        let context = try open()
        let ran = Film(context: context, imdbID: "tt1", title: "Ran")
        try context.save()
        let uri = ran.objectID.uriRepresentation()
        let other = try open()
        let id = try #require(other.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
        #expect((try other.existingObject(with: id) as? Film)?.title == "Ran")
    }

    @Test("Two contexts in conflict, and a folder that can't be written, lose nothing")
    func failingSave() throws {
        let context = try open()
        let ran = Film(context: context, imdbID: "tt1", title: "Ran")
        try context.save()
        let before = try text("Film.csv")
        try FileManager.default.removeItem(at: url.appendingPathComponent("Film.csv"))
        try FileManager.default.createDirectory(at: url.appendingPathComponent("Film.csv/x"), withIntermediateDirectories: true)
        ran.title = "Ran 2"
        #expect(throws: (any Error).self) { try context.save() }
        #expect(context.hasChanges)
        #expect(try FileManager.default.contentsOfDirectory(atPath: url.path).allSatisfy { !$0.hasSuffix(".new") })
        try FileManager.default.removeItem(at: url.appendingPathComponent("Film.csv"))
        try Data(before.utf8).write(to: url.appendingPathComponent("Film.csv"))
        try context.save()
        #expect(try open().fetch(Film.self).map(\.title) == ["Ran 2"])
    }

    @Test(
        "A faulty file is an error with file and line, and stays as it is",
        arguments: [
            ("f1,tt1,Ran,162,true,\nf2,tt2,Ikiru,many,false,\n", 3, "“length” is “many”"),
            ("f1,tt1,Ran,99999999999,true,\n", 2, "“length”"), ("f1,tt1,Ran,1.5,true,\n", 2, "“length”"),
            ("f1,tt1,Ran,1,yes,\n", 2, "true or false"), ("f1,tt1,\"Ran,1,true,\n", 2, "not closed"),
            ("f1,tt1,R\"an,1,true,\n", 2, "quote"), ("f1,tt1,\"Ran\"x,1,true,\n", 2, "after the quote"),
            ("f1,tt1,\"two\nlines\",1,true,\nf1,tt2,Ikiru,1,true,\n", 4, "“f1” is there twice"),
            ("f1,tt1,Ran,1\n", 2, "4 fields for 6 columns"), (",tt1,Ran,1,true,\n", 2, "id is missing"),
            ("a;b,tt1,Ran,1,true,\n", 2, "a;b"), ("f1,tt1,Ran,1,true,nowhere\n", 2, "“nowhere”"),
        ])
    func faultyRows(rows: String, line: Int, reason: String) throws {
        try writeFilms(rows)
        let before = try text("Film.csv")
        let error = try #require(failure())
        #expect(error.file == "Film.csv" && error.line == line)
        #expect(error.reason.contains(reason), "\(error)")
        #expect(try text("Film.csv") == before)
    }

    @Test(
        "So is a faulty first line",
        arguments: [
            ("", "missing"), ("objectID,title\n", "“imdbID” is missing"), ("imdbID,title\n", "“objectID” is missing"),
            ("objectID,imdbID,title,titel\n", "“titel” is not a column"),
            ("objectID,imdbID,title,title\n", "“title” is there twice"),
        ])
    func faultyHeaders(header: String, reason: String) throws {
        try write("Film.csv", header)
        let error = try #require(failure())
        #expect(error.line == 1 && error.reason.contains(reason), "\(error)")
    }

    @Test("Bytes that are not text, and metadata that are none, are errors")
    func notText() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        try Data([0x6F, 0xFF, 0xFE]).write(to: url.appendingPathComponent("Film.csv"))
        #expect(failure()?.reason.contains("UTF-8") == true)
        try FileManager.default.removeItem(at: url.appendingPathComponent("Film.csv"))
        try write("metadata.plist", "<plist>")
        #expect(failure()?.file == "metadata.plist")
    }

    @Test("An id that two objects of one family have is an error, whichever files they are in")
    func idsOfAFamily() throws {
        try writeFilms("f1,tt1,Ran,1,true,\n")
        try write("Serial.csv", "objectID,imdbID,title,length,isColour,episodes\nf1,tt2,X,1,true,3\n")
        #expect(failure()?.reason.contains("“f1” is there twice") == true)
    }
}
