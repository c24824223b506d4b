import Foundation
import OpenCoreData
import Testing

// The code of FirstSteps.md: a test compares the two.

enum FirstStepsExamples {
    @Entity final class Director: NSManagedObject {
        @Attribute(.unique) var name: String
        @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
    }

    @Entity final class Movie: NSManagedObject {
        var title: String
        var minutes: Int
        var rating: Double?
        var director: Director
    }

    /// Opens the list in a file, which is made if it does not exist; without a file, an empty list in memory.
    static func openWatchlist(at file: URL? = nil) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Watchlist", entities: Director.self, Movie.self)
        let description = file.map { NSPersistentStoreDescription(url: $0) } ?? NSPersistentStoreDescription()
        container.persistentStoreDescriptions = [description]
        try container.loadPersistentStores()
        return container
    }

    /// Adds a movie, and its director where the list has none of that name.
    static func add(_ title: String, minutes: Int, by name: String, in context: NSManagedObjectContext) throws {
        let known = try context.fetch(Director.self, where: #Predicate { $0.name == name }).first
        _ = Movie(context: context, title: title, minutes: minutes, director: known ?? Director(context: context, name: name))
        try context.save()
    }

    /// Rates the movies with a title; returns how many there are.
    static func rate(_ title: String, _ rating: Double, in context: NSManagedObjectContext) throws -> Int {
        let movies = try context.fetch(Movie.self, where: #Predicate { $0.title == title })
        for movie in movies { movie.rating = rating }
        try context.save()
        return movies.count
    }

    struct Watchlist {
        @MainActor static func main() {
            do {
                let container = try openWatchlist(at: URL(fileURLWithPath: "Watchlist.sqlite"))
                try run(Array(CommandLine.arguments.dropFirst()), in: container.viewContext)
            } catch {
                print("watchlist: \(error.localizedDescription)")
                exit(1)
            }
        }

        static func run(_ arguments: [String], in context: NSManagedObjectContext) throws {
            let observation = context.observe(Movie.self) { changes in
                for movie in changes.inserted { print("new: \(movie.title) by \(movie.director.name)") }
                for movie in changes.updated { print("changed: \(movie.title) is rated \(text(movie.rating))") }
            }
            defer { observation.cancel() }

            switch arguments.first {
            case "add" where arguments.count == 4:
                try add(arguments[1], minutes: Int(arguments[2]) ?? 0, by: arguments[3], in: context)
            case "rate" where arguments.count == 3:
                if try rate(arguments[1], Double(arguments[2]) ?? 0, in: context) == 0 { print("There is no such movie.") }
            case nil:
                for movie in try context.fetch(Movie.self, sortedBy: [SortDescriptor(\.title)]) {
                    print("\(movie.title), \(movie.minutes) min, by \(movie.director.name), rated \(text(movie.rating))")
                }
            default:
                print("usage: Watchlist [add TITLE MINUTES DIRECTOR | rate TITLE RATING]")
            }
        }

        static func text(_ rating: Double?) -> String { rating.map { "\($0)" } ?? "not at all" }
    }

    @MainActor struct WatchlistTests {
        @Test func aDirectorIsThereOnce() throws {
            let context = try openWatchlist().viewContext
            try add("Ran", minutes: 162, by: "Akira Kurosawa", in: context)
            try add("Ikiru", minutes: 143, by: "Akira Kurosawa", in: context)
            let directors = try context.fetch(Director.self)
            #expect(directors.map(\.name) == ["Akira Kurosawa"])
            #expect(directors.first?.movies.count == 2)
        }

        @Test func ratingTellsObservers() throws {
            let context = try openWatchlist().viewContext
            try add("Ran", minutes: 162, by: "Akira Kurosawa", in: context)
            var ratings: [Double?] = []
            let observation = context.changes(of: Movie.self).updated().observe { changes in
                ratings += changes.updated.map(\.rating)
            }
            #expect(try rate("Ran", 8.2, in: context) == 1)
            #expect(try rate("Rashomon", 8.1, in: context) == 0)
            observation.cancel()
            #expect(ratings == [8.2])
        }

        @Test func theFileKeepsWhatWasSaved() throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { #expect(throws: Never.self) { try FileManager.default.removeItem(at: folder) } }
            let file = folder.appendingPathComponent("Watchlist.sqlite")

            try add("Ran", minutes: 162, by: "Akira Kurosawa", in: openWatchlist(at: file).viewContext)
            let movies = try openWatchlist(at: file).viewContext.fetch(Movie.self)
            #expect(movies.map(\.title) == ["Ran"])
            #expect(movies.map(\.rating) == [nil])
        }
    }
}
