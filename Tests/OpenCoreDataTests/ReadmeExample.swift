// The text between the marks stands in README.md, word for word; `ReadmeTests` compares the two and runs it.

// README BEGIN
import OpenCoreData

@Entity final class Director: NSManagedObject {
    var name: String
    @Relationship(deleteRule: .cascade, inverse: \Movie.director) var movies: Set<Movie>
}

@Entity final class Movie: NSManagedObject {
    @Attribute(.unique) private(set) var imdbID: String  // set by the initializer, read-only for others
    var title: String
    var userRating: Double?  // nil means "not rated" and is never 0
    @Attribute("length") var duration: Int32 = 0  // stored under another name
    var director: Director
}

@MainActor func rateMovies(storedAt file: URL, log: @escaping (String) -> Void = { print($0) }) throws {
    let container = try NSPersistentContainer(name: "Cinema", entities: Director.self, Movie.self)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
    try container.loadPersistentStores()
    let context = container.viewContext

    let observation = context.observe(Movie.self) { changes in
        for movie in changes.deleted { log("gone: \(movie.title)") }
        for movie in changes.inserted { log("new: \(movie.title) by \(movie.director.name)") }
        for movie in changes.updated {
            log("changed: \(movie.title) is rated \(movie.userRating.map { "\($0)" } ?? "not at all")")
        }
    }

    let kurosawa = Director(context: context, name: "Akira Kurosawa")
    let ran = Movie(context: context, imdbID: "tt0089881", title: "Ran", director: kurosawa)
    try context.save()
    ran.userRating = 8.2
    ran.duration = 162
    try context.save()
    ran.userRating = nil
    _ = Movie(context: context, imdbID: "tt0044741", title: "Ikiru", director: kurosawa)
    try context.save()
    observation.cancel()

    let long = try context.fetch(Movie.self, where: #Predicate { $0.duration > 120 }, sortedBy: [SortDescriptor(\.title)])
    log("long: \(long.map(\.title)), all by \(kurosawa.name): \(kurosawa.movies.count)")
}
// README END
