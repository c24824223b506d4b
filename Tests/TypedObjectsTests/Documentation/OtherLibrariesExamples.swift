import Foundation
import OpenCoreData

// The code of FromOtherLibraries.md that is not other libraries': a test compares the two.

enum OtherLibrariesExamples {
    @Entity final class Director: NSManagedObject {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Film.director) var films: Set<Film>
    }

    @Entity final class Film: NSManagedObject {
        var title: String
        var minutes: Int = 0
        var director: Director?
    }

    static func swiftData(in context: NSManagedObjectContext) throws -> [Film] {
        let director = Director(context: context, name: "Akira Kurosawa")
        let films = try context.fetch(Film.self, where: #Predicate { $0.minutes > 120 }, sortedBy: [SortDescriptor(\.title)])
        director.films = Set(films)
        return films
    }

    static func background(in container: NSPersistentContainer) async throws {
        try await container.performBackgroundTask { context in
            _ = Film(context: context, title: "Ran", minutes: 162)
            try context.save()
        }
    }

    static func coreStore(in context: NSManagedObjectContext) throws -> (films: [Film], minutes: Int64) {
        let long = try context.fetch(Film.self, where: \.minutes > 120, sortedBy: [Film.keys.title.ascending])
        let minutes = try context.sum(\.minutes, of: Film.self)
        return (long, minutes)
    }

    static func grdb(_ id: ManagedObjectID<Film>, in context: NSManagedObjectContext) throws {
        let film = try context[id]
        film.minutes = 162
        try context.save()
    }

    static func values(in context: NSManagedObjectContext) throws -> [(String, Int)] {
        let rows = try context.values(\.title, \.minutes, of: Film.self, where: \.minutes > 120)
        return rows
    }

    static func watch(_ context: NSManagedObjectContext, log: @escaping (String) -> Void) -> ManagedObjectObservation {
        let observation = context.observe(Film.self) { changes in
            for film in changes.inserted { log("new: \(film.title)") }
        }
        return observation
    }
}
