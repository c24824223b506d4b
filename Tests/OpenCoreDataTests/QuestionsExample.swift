import OpenCoreData

// QUESTIONS BEGIN
func longMovies(in context: NSManagedObjectContext) throws -> [[Movie]] {
    let request = NSFetchRequest<Movie>(entityName: "Movie")
    request.predicate = NSPredicate(format: "length > %d AND director.name BEGINSWITH[c] %@", 120, "akira")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    let byFormat = try context.fetch(request)

    let byMacro = try context.fetch(
        Movie.self, where: #Predicate { $0.duration > 120 && $0.director.name.localizedStandardContains("akira") },
        sortedBy: [SortDescriptor(\.title)])

    let byKeys = try context.fetch(
        Movie.self, where: Movie.keys.duration > 120 && Movie.keys.director.name.beginsWith("akira", options: .caseInsensitive),
        sortedBy: [Movie.keys.title.ascending])

    return [byFormat, byMacro, byKeys]
}
// QUESTIONS END
