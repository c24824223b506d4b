import OpenCoreData

// READING BEGIN
func titles(of directors: [Director], in context: NSManagedObjectContext) throws -> [String] {
    try context.load(directors, \.movies)
    return directors.flatMap { $0.movies.map(\.title) }.sorted()
}

func rename(_ movie: Movie, to title: String) throws {
    try movie.load()
    movie.title = title
}

func accessible(_ context: NSManagedObjectContext, log: @escaping (String) -> Void) {
    context.readingFailurePolicy = .record
    context.readingFailureHandler = { failure in log(failure.localizedDescription) }
}
// READING END
