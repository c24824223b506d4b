import Foundation
import OpenCoreData

/// The first half of the demo: a store is made, changed, closed and opened again.
struct Cinema {
    let file: URL

    func run() throws {
        print("1. A new store: \(file.path)")
        try makeStore()
        print("\n2. The store, opened again")
        try readStore()
    }

    private func openContainer() throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Cinema", entities: Director.self, Movie.self, Scene.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        try container.loadPersistentStores()
        return container
    }

    private func makeStore() throws {
        let context = try openContainer().viewContext
        let observation = context.observe(Movie.self) { changes in
            for movie in changes.deleted { print("   - \(movie.title)") }
            for movie in changes.inserted { print("   + \(movie.title), rated \(rating(movie))") }
            for movie in changes.updated { print("   ~ \(movie.title), rated \(rating(movie))") }
        }
        let kurosawa = Director(context: context, name: "Akira Kurosawa")
        let ran = Movie(context: context, imdbID: "tt0089881", title: "Ran", director: kurosawa)
        try context.save()

        ran.userRating = 8.2
        ran.duration = 162
        ran.scenes = [Scene(context: context, summary: "The hunt"), Scene(context: context, summary: "The storm")]
        let ikiru = Movie(context: context, imdbID: "tt0044741", title: "Ikiru", director: kurosawa)
        let short = Movie(context: context, imdbID: "tt0000000", title: "A mistake", director: kurosawa, genre: .comedy)
        try context.save()

        ikiru.userRating = 0
        context.delete(short)
        try context.save()
        ikiru.userRating = nil
        try context.save()
        observation.cancel()
    }

    private func readStore() throws {
        let context = try openContainer().viewContext
        for movie in try context.fetch(Movie.self, sortedBy: [SortDescriptor(\.title)]) {
            print(
                "   \(movie.title) (\(movie.imdbID), \(movie.genre), \(movie.duration) min) by \(movie.director.name), rated \(rating(movie))"
            )
            for scene in movie.scenes { print("      scene: \(scene.summary)") }
        }
        let rated = try context.fetch(Movie.self, where: #Predicate { ($0.userRating ?? 0) > 8 })
        print("   rated above 8: \(rated.map(\.title).joined(separator: ", "))")
    }

    private func rating(_ movie: Movie) -> String {
        movie.userRating.map { "\($0)" } ?? "not at all (nil, which is not 0)"
    }
}
