import Foundation
import OpenCoreData

// The code of StrongTypes.md: a test compares the two.

enum StrongTypesExamples {
    enum Genre: String {
        case drama, comedy, western
    }

    @Entity final class Director: NSManagedObject {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Film.director) var films: Set<Film>
    }

    @Entity class Film: NSManagedObject {
        @Attribute(.unique) private(set) var imdbID: String
        var title: String
        var userRating: Double?
        @Attribute("length", .range(0...1000)) var duration: Int32 = 0
        var genre: Genre = .drama
        var director: Director
        var scenes: [Scene]
        @FetchedProperty("genre == $FETCH_SOURCE.genre AND SELF != $FETCH_SOURCE") var similar: [Film]
        @Ignored var poster: Poster?
    }

    @Entity final class Scene: NSManagedObject {
        @Relationship(inverse: \Film.scenes) var film: Film?
    }

    final class Poster {}

    typealias ColorTransformer = ColorNameTransformer

    @Composite struct Address: Equatable {
        var street: String
        @Attribute("postcode") var zip: String?
    }

    struct Money: StorableValue, Equatable {
        var cents: Int64

        init(cents: Int64) { self.cents = cents }
        init?(storedValue: Int64) { cents = storedValue }
        var storedValue: Int64 { cents }
    }

    @Entity final class Cinema: NSManagedObject {
        var address: Address
        var office: Address?
        var ticket: Money
        @Attribute(.codable) var openingHours: [String: [Int]] = [:]
        @Attribute(.transformable(by: ColorTransformer())) var color: Color?
    }

    @Entity final class Ticket: NSManagedObject {
        var kind: Result<Genre, PropertyValueError>
    }

    @Entity("Person", isAbstract: true, originalName: "Human") class Person: NSManagedObject {
        #Unique<Person>([\.firstName, \.lastName])
        #Index<Person>([\.lastName, \.firstName])
        @Attribute(.length(1...80)) var firstName: String
        @Attribute(.originalName("name"), .indexed) var lastName: String
        @Attribute(.pattern("[^@]+@[^@]+")) var mail: String?
        @Attribute(.externalStorage) var photo: Data?
        @Attribute(.transient) var isSelected: Bool = false
    }

    @Entity final class Actor: Person {
        @Relationship(inverse: \Role.actor, minCount: 1) var roles: Set<Role>
        @Attribute(.derived("roles.@count")) var roleCount: Int64?
    }

    @Entity final class Role: NSManagedObject {
        var actor: Actor?
    }

    static func makeContainer() throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Films", entities: Director.self, Film.self, Scene.self)
        return container
    }

    static func askForTitle(of film: Film) { film.title = "Ran" }

    /// Makes a film, and gives what is found of it by every way of the article.
    static func run(in context: NSManagedObjectContext, and otherContext: NSManagedObjectContext, log: (String) -> Void) throws {
        let kurosawa = Director(context: context, name: "Akira Kurosawa")
        let ran = Film(context: context, imdbID: "tt0089881", title: "Ran", director: kurosawa, duration: 162)
        let other = Film.makeInstance(in: context)
        do {
            try context.save()
        } catch {
            for failure in error.validationFailures(of: Film.self) where failure.keyPath == \.title {
                askForTitle(of: failure.object)
            }
        }
        log("\(other.title), \(ran.title)")
        context.delete(other)
        try context.save()
        try find(in: context, log: log)
        context.refresh(ran, mergeChanges: true)
        let alike = ran.similar
        log("\(alike.count)")
        try ask(ran, log: log)
        let id = ran.typedID
        let again = try otherContext[id]
        log(again.title)
    }

    private static func find(in context: NSManagedObjectContext, log: (String) -> Void) throws {
        let long = try context.fetch(Film.self, where: Film.keys.duration > 180 && Film.keys.director.name == "Akira Kurosawa")
        let one = try context.fetch(Film.self, where: \.title == "Ran", sortedBy: [Film.keys.title.ascending])
        let minutes = try context.sum(\.duration, of: Film.self)
        let best = try context.max(\.userRating, of: Film.self, where: \.genre == .drama)
        let counts = try context.count(of: Film.self, groupedBy: \.genre)
        log("\(long.count) \(one.count) \(minutes) \(best ?? -1) \(counts[.drama] ?? 0)")
        let lengths = try context.values(\.title, \.duration, of: Film.self, sortedBy: [Film.keys.title.ascending])
        let minutesByGenre = try context.sum(\.duration, of: Film.self, groupedBy: \.genre)
        let dramas = try context.fetch(Film.self, where: \.genre == .drama, prefetching: \.director, \.scenes)
        log("\(lengths.map(\.0)) \(minutesByGenre[.drama] ?? 0) \(dramas.map(\.director.name))")
    }

    private static func ask(_ film: Film, log: (String) -> Void) throws {
        func show(_ genre: Genre) { log(genre.rawValue) }
        film.setValue("musical", forKey: "genre")
        let title = film.value(ifSet: \.title) ?? "untitled"
        do {
            show(try film.value(of: \.genre))
        } catch {
            log(error.description)
        }
        film.genre = .comedy
        log(title)
    }

    static func check(_ model: NSManagedObjectModel) -> [ModelIssue] {
        let issues = model.issues(for: Director.self, Film.self, Scene.self)
        return issues
    }
}
