import BenchmarkKit
import Foundation
import OpenCoreData

/// Work that several contexts, or lists beside a context, have with the same objects.
extension LibraryContender {
    /// A list of all movies in order is brought up to date after a tenth of them got another place.
    func followList(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let request = NSFetchRequest<Movie>(entityName: "Movie")
        request.sortDescriptors = [
            NSSortDescriptor(key: "year", ascending: true), NSSortDescriptor(key: "duration", ascending: true),
        ]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let moves = MoveCounter()
        controller.delegate = moves
        try controller.performFetch()
        let movies = controller.fetchedObjects ?? []
        var count = 0
        for index in stride(from: 0, to: movies.count, by: 10) {
            movies[index].year = Int32(1900 + index % 127)
            count += 1
        }
        meter.measure { context.processPendingChanges() }
        var checksum = Checksum()
        checksum.add(moves.count)
        return Outcome(units: count, checksum: checksum)
    }

    /// A context that knows all movies learns of a save of all of them.
    func mergeSave(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let movies = try allMovies(context)
        for movie in movies { _ = movie.rating }
        let other = Self.rival(of: context)
        nonisolated(unsafe) var notice: Notification?
        let observer = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didSaveObjectsNotification, object: other, queue: nil
        ) { notice = $0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        try rateAll(in: other)
        guard let notice else { throw BenchmarkError("nobody told of the save") }
        meter.measure { context.mergeChanges(fromContextDidSave: notice) }
        var checksum = Checksum()
        for movie in movies { checksum.add(movie.rating) }
        return Outcome(units: movies.count, checksum: checksum)
    }

    /// A save of all movies finds newer rows of all of them, and writes what was changed here into them.
    func saveOverNewerRows(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let movies = try allMovies(context)
        for movie in movies { movie.duration += 1 }
        try rateAll(in: Self.rival(of: context))
        try meter.measure { try context.save() }
        var checksum = Checksum()
        for movie in movies { checksum.add(movie.rating) }
        return Outcome(units: movies.count, checksum: checksum)
    }

    func updateBatch(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        do {
            let container = try Self.open(stores.full)
            defer { withExtendedLifetime(container) {} }
            let request = NSBatchUpdateRequest(entityName: "Movie")
            request.predicate = NSPredicate(format: "rating > %@", FilterWorkload.rating)
            request.propertiesToUpdate = ["year": 2000]
            _ = try meter.measure { try container.viewContext.execute(request) }
        }
        return Outcome(units: size.movies, checksum: try RawContender.contentChecksum(stores.full.path))
    }

    func insertBatch(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let movies = Dataset(size: size).movies
        do {
            let container = try Self.open(stores.people)
            defer { withExtendedLifetime(container) {} }
            var rest = movies[...]
            let request = NSBatchInsertRequest(entityName: "Movie") { (object: NSManagedObject) in
                guard let movie = object as? Movie, let values = rest.popFirst() else { return true }
                movie.year = values.year
                movie.duration = values.duration
                movie.rating = values.rating
                movie.userRating = values.userRating
                movie.released = Date(timeIntervalSinceReferenceDate: values.released)
                movie.imdbID = values.imdbID
                movie.title = values.title
                movie.tagline = values.tagline
                movie.isColor = values.isColor
                return false
            }
            _ = try meter.measure { try container.viewContext.execute(request) }
        }
        return Outcome(units: movies.count, checksum: try RawContender.contentChecksum(stores.people.path))
    }

    /// A context on the same coordinator.
    static func rival(of context: NSManagedObjectContext) -> NSManagedObjectContext {
        let rival = NSManagedObjectContext(.mainQueue)
        rival.persistentStoreCoordinator = context.persistentStoreCoordinator
        rival.tracksObservation = false
        return rival
    }

    private func rateAll(in context: NSManagedObjectContext) throws {
        let movies = try allMovies(context)
        for (index, movie) in movies.enumerated() { movie.rating = UpdateWorkload.rating(index) }
        try context.save()
    }
}

/// Counts what a list tells.
final class MoveCounter: NSObject, NSFetchedResultsControllerDelegate {
    private(set) var count = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) { count += 1 }
}
