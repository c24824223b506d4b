import Foundation
import OpenCoreData
import Synchronization
import Testing

@Suite("Reading notifications by type")
struct NotificationReadingTests {
    /// The notifications that a body causes.
    private func notifications(
        _ name: Notification.Name, of context: NSManagedObjectContext, _ body: () throws -> Void,
        read: @escaping (Notification) -> Void
    ) throws {
        // Posted on this thread, inside `body`.
        nonisolated(unsafe) let read = read
        let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { read($0) }
        try body()
        NotificationCenter.default.removeObserver(token)
    }

    @Test("refreshed objects, and the references of a reset")
    func refreshed() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            let id = movie.typedID
            var log: [String] = []
            try notifications(.NSManagedObjectContextObjectsDidChange, of: context) {
                context.refreshAllObjects()
                context.processPendingChanges()
                context.reset()
            } read: { notification in
                let refreshed: [Movie] = notification.refreshedManagedObjects()
                let all: [Movie] = notification.changedManagedObjects(type: [.all, .refreshed])
                let none: [Movie] = notification.changedManagedObjects()
                let invalidated: [ManagedObjectID<Movie>] = notification.invalidatedManagedObjectIDs()
                let ids: [ManagedObjectID<Movie>] = notification.refreshedManagedObjectIDs()
                // Those of a reset are told by reference.
                let objects: [Movie] = notification.invalidatedManagedObjects()
                log.append("\(refreshed == [movie]) \(ids == [id]) \(all == [movie]) \(none.isEmpty)")
                log.append("\(invalidated == [id]) \(objects.isEmpty)")
            }
            #expect(log == ["true true true true", "false true", "false false false true", "true true"])
        }
    }

    @Test("a coming save tells what the context is about to write")
    func willSave() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            let other = try ChangedValueTests.film(context, "Ikiru")
            var log: [String] = []
            movie.title = "乱"
            context.delete(other)
            _ = Movie(context: context, imdbID: "1", title: "Yojimbo", director: movie.director)
            try notifications(.NSManagedObjectContextWillSave, of: context) {
                try context.save()
            } read: { notification in
                notification.insertedManagedObjects().forEach { (movie: Movie) in log.append("+ \(movie.title)") }
                notification.updatedManagedObjects().forEach { (movie: Movie) in log.append("~ \(movie.title)") }
                notification.deletedManagedObjects().forEach { (movie: Movie) in log.append("- \(movie.title)") }
            }
            #expect(log == ["+ Yojimbo", "~ 乱", "- Ikiru"])
        }
    }

    @Test("a save's references, by kind and class, those of subclasses included")
    func references() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var log: [Set<ManagedObjectID<Movie>>] = []
            var directors: [ManagedObjectID<Director>] = []
            var sequel: SecondPart?
            func save() throws {
                sequel = SecondPart(context: context, imdbID: "2", title: "Sanjuro", director: movie.director)
                movie.title = "乱"
                try context.save()
            }
            for name in [Notification.Name.NSManagedObjectContextDidSaveObjectIDs, .NSManagedObjectContextDidSave] {
                try notifications(name, of: context, save) { notification in
                    let inserted: [ManagedObjectID<Movie>] = notification.insertedManagedObjectIDs()
                    let updated: [ManagedObjectID<Movie>] = notification.updatedManagedObjectIDs()
                    let deleted: [ManagedObjectID<Movie>] = notification.deletedManagedObjectIDs()
                    log += [Set(inserted), Set(updated), Set(deleted)]
                    directors = notification.changedManagedObjectIDs(type: .all)
                }
                let inserted = try #require(sequel?.typedID.asID(of: Movie.self))
                #expect(log == [[inserted], [movie.typedID], []])
                #expect(directors == [movie.director.typedID])
                log = []
                sequel.map(context.delete)
                movie.title = "Ran"
                try context.save()
            }
        }
    }
}
