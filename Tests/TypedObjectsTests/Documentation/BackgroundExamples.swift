import Foundation
import OpenCoreData

// The code of BackgroundWork.md: a test compares the two.

enum BackgroundExamples {
    @Entity final class Director: NSManagedObject {
        var name: String
        @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
    }

    @Entity final class Movie: NSManagedObject {
        var title: String
        var minutes: Int = 0
        var director: Director
    }

    static func add(
        _ title: String, by name: String, to container: NSPersistentContainer
    ) async throws -> ManagedObjectID<Movie> {
        try await container.performBackgroundTask { context in
            let movie = Movie(context: context, title: title, director: Director(context: context, name: name))
            try context.save()
            return movie.typedID
        }
    }

    @MainActor static func show(_ id: ManagedObjectID<Movie>, of container: NSPersistentContainer) throws -> String {
        let movie = try container.viewContext[id]
        return "\(movie.title) by \(movie.director.name)"
    }

    /// What a list shows of a movie.
    struct MovieLine: Sendable, Equatable {
        var id: ManagedObjectID<Movie>
        var text: String
    }

    static func lines(of container: NSPersistentContainer) async throws -> [MovieLine] {
        try await container.performBackgroundTask { context in
            let movies = try context.fetch(
                Movie.self, where: nil, sortedBy: [SortDescriptor(\.title)], prefetching: \.director)
            return movies.map { MovieLine(id: $0.typedID, text: "\($0.title) by \($0.director.name)") }
        }
    }

    static func setMinutes(_ minutes: Int, of id: ManagedObjectID<Movie>, in context: NSManagedObjectContext) async throws {
        try await context.perform {
            try context[id].minutes = minutes
            try context.save()
        }
    }

    static func follow(_ container: NSPersistentContainer) {
        container.viewContext.automaticallyMergesChangesFromParent = true
    }

    @ManagedActor actor Library {
        private(set) var saves = 0

        func add(_ title: String, by director: ManagedObjectID<Director>) throws -> ManagedObjectID<Movie> {
            let movie = Movie(context: context, title: title, director: try self[director])
            try context.save()
            saves += 1
            return movie.typedID
        }

        func totalMinutes() throws -> Int {
            Int(try context.sum(\.minutes, of: Movie.self))
        }
    }

    static func use(_ container: NSPersistentContainer, _ kurosawa: ManagedObjectID<Director>) async throws -> Int {
        let library = Library(container: container)
        let ran = try await library.add("Ran", by: kurosawa)
        try await setMinutes(162, of: ran, in: library.managedObjectContext)
        return try await library.totalMinutes()
    }
}
