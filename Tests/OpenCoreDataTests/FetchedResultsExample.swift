// The text between the marks stands in ListsThatFollow.md, word for word; `FetchedResultsExampleTests` compares the two and runs it.

// ARTICLE BEGIN
import OpenCoreData

@MainActor final class Watchlist: NSObject {
    let movies: FetchedResults<Movie>
    private(set) var rows: [String]
    private var observation: ManagedObjectObservation?

    init(_ context: NSManagedObjectContext) throws {
        let request = NSFetchRequest<Movie>(entityName: "Movie")
        request.predicate = NSPredicate(format: "length > %d", 120)
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let movies = try FetchedResults(request, in: context)
        self.movies = movies
        rows = movies.map(\.title)
        super.init()
        observation = movies.observe { [unowned self] difference in
            // Called on the context's queue, here the main one.
            MainActor.assumeIsolated { show(difference) }
        }
    }

    private func show(_ difference: FetchedResultsDifference) {
        for case .remove(let offset, _, _) in difference.objectIDs.removals.reversed() { rows.remove(at: offset) }
        for case .insert(let offset, _, _) in difference.objectIDs.insertions { rows.insert(movies[offset].title, at: offset) }
        for movie in movies where difference.updatedIDs.contains(movie.objectID) {
            if let row = movies.position(of: movie) { rows[row] = movie.title }
        }
    }
}
// ARTICLE END
