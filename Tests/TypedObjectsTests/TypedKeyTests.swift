import Foundation
import OpenCoreData
import Predicates
import Testing
import TypedObjects

@Suite("Typed keys")
struct TypedKeyTests {
    @Test("a key has the name of the model, inherited ones too; paths lead through relationships and composites (B36)")
    func names() {
        #expect(Movie.keys.duration.storedName == "length")
        #expect(SecondPart.keys.duration.storedName == "length")
        #expect(SecondPart.keys.part.storedName == "part")
        #expect(SecondPart.keys.original.director.name.storedName == "original.director.name")
        #expect(Studio.keys.address.zip.storedName == "address.postcode")
        #expect(Studio.keys.branch.position.latitude.storedName == "second.position.latitude")
        #expect("\(Movie.keys.imdbID)" == "Movie.imdbID", "private(set) makes no difference")
    }

    @Test("key paths of several steps have the same names")
    func keyPaths() {
        #expect(KeyPathNames.storedPath(of: \Movie.director.name) == "director.name")
        #expect(KeyPathNames.storedPath(of: \Scene.text) == "text")
        #expect(KeyPathNames.storedPath(of: \SecondPart.director.name) == "director.name")
        #expect(KeyPathNames.storedPath(of: \Studio.address.zip) == "address.postcode")
        #expect(KeyPathNames.storedPath(of: \Movie.title.count) == nil)
        #expect(KeyPathNames.storedPath(of: \Movie.objectID) == nil)
    }

    @Test("slot and description of a key are the model's")
    func slots() throws {
        try TestStore.cinema().run { (context: NSManagedObjectContext) throws in
            let movie = Movie.makeInstance(in: context)
            #expect(Movie.keys.duration.slot(in: movie) == 3)
            #expect(Movie.keys.director.name.slot(in: movie) == nil)
            #expect((Movie.keys.duration.description(in: context) as? NSAttributeDescription)?.type == .integer32)
            #expect(Movie.keys.director.name.description(in: context)?.name == "name")
            #expect((Movie.keys.scenes.description(in: context) as? NSRelationshipDescription)?.isOrdered == true)
        }
    }

    static var predicates: [(TypedPredicate<Movie>, String)] {
        [
            (Movie.keys.userRating > 8 && Movie.keys.title == "Ran", "userRating > 8.0 AND title == \"Ran\""),
            (\.title == "Ran", "title == \"Ran\""),
            (\.title != "Ran" || \.duration >= 100, "title != \"Ran\" OR length >= 100"),
            (\.userRating < 5 || \.userRating == nil, "userRating < 5.0 OR userRating == nil"),
            (!(Movie.keys.genre == .western), "NOT genre == \"western\""),
            (Movie.keys.ageLimit.isIn([AgeLimit.none, .adult]), "ageLimit IN {0, 18}"),
            (\.director.name == "Akira Kurosawa", "director.name == \"Akira Kurosawa\""),
            (Movie.keys.director.name.beginsWith("a", options: [.caseInsensitive]), "director.name BEGINSWITH[c] \"a\""),
            (
                Movie.keys.title.like("R*") && Movie.keys.title.contains("a") && Movie.keys.title.endsWith("n"),
                "title LIKE \"R*\" AND title CONTAINS \"a\" AND title ENDSWITH \"n\""
            ),
            (Movie.keys.title.matches("R.n"), "title MATCHES \"R.n\""),
            (Movie.keys.duration.isBetween(100...200), "length BETWEEN {100, 200}"),
            (Movie.keys.userRating.isBetween(1...2), "userRating BETWEEN {1.0, 2.0}"),
            (Movie.keys.ageLimit.isNil && Movie.keys.genre.isNotNil, "ageLimit == nil AND genre != nil"),
            (Movie.keys.scenes.isEmpty, "scenes.@count == 0"),
            (\.duration < 1 && (\.duration > 2 || \.duration <= 3), "length < 1 AND (length > 2 OR length <= 3)"),
        ]
    }

    @Test("operators on keys and key paths make the tree that a format string makes")
    func trees() {
        for (predicate, format) in Self.predicates {
            #expect(predicate.node == PredicateNode(NSPredicate(format: format)), "\(predicate) and \(format)")
        }
    }

    @Test("#Predicate becomes a predicate over stored names; one with a computed property is evaluated in memory (B36)")
    func swiftPredicates() throws {
        try TestStore.cinema().run { (context: NSManagedObjectContext) throws in
            let long = try context.storedForm(of: #Predicate<Movie> { $0.duration > 150 && $0.director.name == "Akira Kurosawa" })
            let format = NSPredicate(format: "length > 150 AND director.name == \"Akira Kurosawa\"")
            #expect(long.map(PredicateNode.init) == PredicateNode(format))
            let part = try context.storedForm(of: #Predicate<SecondPart> { $0.duration == 1 && $0.part == 2 })
            #expect(part.map(PredicateNode.init) == PredicateNode(NSPredicate(format: "length == 1 AND part == 2")))
            #expect(try context.storedForm(of: #Predicate<Movie> { $0.isLong }) == nil)
            let director = Director(context: context, name: "D")
            let ran = Movie(context: context, imdbID: "1", title: "Ran", director: director, duration: 162)
            _ = Movie(context: context, imdbID: "2", title: "Short", director: director, duration: 1)
            try context.save()
            let found = try context.fetch(Movie.self, where: #Predicate { $0.isLong })
            #expect(found == [ran])
            #expect(try context.count(of: Movie.self, where: #Predicate { $0.isLong }) == 1)
            #expect(try context.count(of: Movie.self, where: #Predicate { $0.duration < 100 }) == 1)
        }
    }

    @Test("a fetch by keys finds what it should, sorted by keys, over names that differ in the store")
    func fetch() throws {
        try TestStore.cinema().run { (context: NSManagedObjectContext) throws in
            let kurosawa = Director(context: context, name: "Akira Kurosawa")
            let other = Director(context: context, name: "Other")
            let ran = Movie(context: context, imdbID: "1", title: "Ran", director: kurosawa, userRating: 8.2, duration: 162)
            let ikiru = Movie(context: context, imdbID: "2", title: "Ikiru", director: kurosawa, duration: 143, genre: .comedy)
            let third = SecondPart(context: context, imdbID: "3", title: "Third", director: other, userRating: 2, duration: 143)
            try context.save()
            func titles(_ predicate: TypedPredicate<Movie>, _ sort: NSSortDescriptor...) throws -> [String] {
                try context.fetch(Movie.self, where: predicate, sortedBy: sort).map(\.title)
            }
            #expect(try titles(Movie.keys.userRating > 8) == ["Ran"])
            #expect(try titles(\.director.name == "Akira Kurosawa", Movie.keys.duration.descending) == ["Ran", "Ikiru"])
            #expect(try titles(\.duration == 143, Movie.keys.title.ascending) == ["Ikiru", "Third"])
            #expect(try titles(\.genre == .comedy) == ["Ikiru"])
            #expect(try titles(\.userRating == nil) == ["Ikiru"])
            #expect(try titles(Movie.keys.director == other) == ["Third"])
            #expect(try titles(Movie.keys.scenes.isEmpty && \.userRating < 5) == ["Third"])
            #expect(try context.fetch(SecondPart.self, where: \.title == "Third") == [third])
            #expect(
                try context.fetch(Movie.self, where: \.duration > 0, sortedBy: [Movie.keys.title.ascending], limit: 1) == [ikiru])
            #expect(try context.count(of: Movie.self, where: \.duration > 150) == 1)
            let request = Movie.fetchRequest()
            request.predicate = (Movie.keys.title == "Ran").predicate
            #expect(try context.fetch(request) == [ran])
        }
    }

    @Test("aggregates leave nil out and are over what is asked for")
    func aggregates() throws {
        try TestStore.cinema().run { (context: NSManagedObjectContext) throws in
            #expect(try context.sum(\.duration, of: Movie.self) == 0)
            #expect(try context.average(\.duration, of: Movie.self) == nil)
            #expect(try context.max(\.title, of: Movie.self) == nil)
            let director = Director(context: context, name: "D")
            _ = Movie(context: context, imdbID: "1", title: "A", director: director, userRating: 8, duration: 100)
            _ = Movie(context: context, imdbID: "2", title: "B", director: director, duration: 50, genre: .comedy)
            _ = SecondPart(context: context, imdbID: "3", title: "C", director: director, userRating: 6, duration: 60)
            #expect(try context.sum(\.duration, of: Movie.self) == 210)
            #expect(try context.sum(\.userRating, of: Movie.self) == 14)
            #expect(try context.average(\.duration, of: Movie.self) == 70)
            #expect(try context.average(\.userRating, of: Movie.self) == 7)
            #expect(try context.min(\.userRating, of: Movie.self) == 6)
            #expect(try context.max(\.title, of: Movie.self) == "C")
            #expect(try context.sum(\.duration, of: Movie.self, where: \.genre == .drama) == 160)
            #expect(try context.min(\.duration, of: Movie.self, where: #Predicate { $0.title != "B" }) == 60)
            #expect(try context.count(of: Movie.self, groupedBy: \.genre) == [.drama: 2, .comedy: 1])
            #expect(try context.sum(\.duration, of: Movie.self, groupedBy: \.genre) == [.drama: 160, .comedy: 50])
            #expect(try context.average(\.userRating, of: Movie.self, groupedBy: \.genre) == [.drama: 7])
            #expect(try context.max(\.userRating, of: Movie.self, groupedBy: \.genre) == [.drama: 8])
            #expect(try context.min(\.title, of: Movie.self, groupedBy: \.genre) == [.drama: "A", .comedy: "B"])
        }
    }

    @Test("a sum that is too great for an integer is an error; the average is computed all the same")
    func overflow() throws {
        try TestStore(NSPersistentContainer(name: "x", entities: Required2.self)).run {
            (context: NSManagedObjectContext) throws in
            for value in [Int64.max, Int64.max] { _ = Required2(context: context, number: value, price: 0.1) }
            #expect(throws: NSError.self) { try context.sum(\.number, of: Required2.self) }
            #expect(try context.average(\.number, of: Required2.self) == Double(Int64.max))
            #expect(try context.sum(\.price, of: Required2.self) == Decimal(string: "0.2"))
        }
    }
}

extension Movie {
    fileprivate var isLong: Bool { duration > 150 }
}

@Entity final class Required2: NSManagedObject {
    var number: Int64
    var price: Decimal
}

@Suite("Typed references")
struct ManagedObjectIDTests {
    @Test("a reference crosses contexts, is equal by object, and knows its class")
    func crossing() throws {
        let store = try TestStore.cinema()
        let ids = try store.run { (context: NSManagedObjectContext) throws in
            let part = SecondPart(context: context, imdbID: "3", title: "C", director: Director(context: context, name: "D"))
            try context.save()
            #expect(part.typedID == ManagedObjectID(part))
            return (movie: part.typedID, director: part.director.typedID)
        }
        try store.fresh { (context: NSManagedObjectContext) throws in
            let part = try context[ids.movie]
            let director = try context[ids.director]
            #expect(part.title == "C" && part.director === director)
            #expect(ids.movie.asID(of: Movie.self).map { $0.objectID } == ids.movie.objectID)
            #expect(ManagedObjectID<Movie>(ids.movie.objectID, in: context) != nil)
            #expect(ManagedObjectID<Director>(ids.movie.objectID, in: context) == nil)
            context.delete(part)
            try context.save()
        }
        try store.fresh { (context: NSManagedObjectContext) throws in
            let error = #expect(throws: CocoaError.self) { try context[ids.movie] }
            #expect(error?.code.rawValue == NSManagedObjectReferentialIntegrityError)
        }
    }
}
