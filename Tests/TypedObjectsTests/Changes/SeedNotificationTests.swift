import Foundation
import OpenCoreData
import Testing

// The code of seeds/typed-change-notifications.txt: the long skeleton and the short one, over the library's extension of `Notification`.

@Suite("Seed: typed changes from a notification", .serialized)
struct SeedNotificationTests {
    /// Runs changes and gives the notifications that they caused to `read`.
    private func observe(
        _ name: Notification.Name = .NSManagedObjectContextObjectsDidChange, read: @escaping (Notification) -> Void,
        during changes: @escaping (NSManagedObjectContext) throws -> Void
    ) throws {
        let store = try TestStore.cinema()
        try store.run { context in
            // The notification is delivered on this thread, inside the calls below.
            nonisolated(unsafe) let read = read
            let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { read($0) }
            defer { NotificationCenter.default.removeObserver(token) }
            try changes(context)
            context.processPendingChanges()
        }
    }

    @Test("option values are those of the text")
    func rawValues() {
        #expect(Notification.ChangedType.inserted.rawValue == 1)
        #expect(Notification.ChangedType.updated.rawValue == 2)
        #expect(Notification.ChangedType.deleted.rawValue == 4)
        #expect(Notification.ChangedType.all == [.inserted, .updated, .deleted])
    }

    @Test("the short skeleton sees the same objects as the long one, only of its class, subclasses included")
    func skeletons() throws {
        var long: [String] = []
        var short: [String] = []
        try observe { notification in
            guard let userInfo = notification.userInfo else { return }
            let inserted = userInfo[NSInsertedObjectsKey] as? Set<NSManagedObject>
            inserted?.compactMap { $0 as? Movie }.forEach { long.append($0.title) }
            notification.insertedManagedObjects().forEach { (object: Movie) in short.append(object.title) }
        } during: { context in
            let director = Director(context: context, name: "Akira Kurosawa")
            _ = Movie(context: context, imdbID: "1", title: "Ran", director: director)
            _ = SecondPart(context: context, imdbID: "2", title: "Sanjuro", director: director)
        }
        #expect(short.sorted() == ["Ran", "Sanjuro"])
        #expect(long.sorted() == short.sorted())
    }

    @Test("inserted, updated and deleted objects come apart, and together by option")
    func kinds() throws {
        var seen: [(inserted: [Movie], updated: [Movie], deleted: [Movie], all: [Movie], some: [Movie], directors: [Director])] =
            []
        var movies: [Movie] = []
        try observe { notification in
            seen.append(
                (
                    notification.insertedManagedObjects(), notification.updatedManagedObjects(),
                    notification.deletedManagedObjects(),
                    notification.changedManagedObjects(), notification.changedManagedObjects(type: [.inserted, .deleted]),
                    notification.changedManagedObjects()
                ))
        } during: { context in
            let director = Director(context: context, name: "Sergio Leone")
            movies = (1...3).map { Movie(context: context, imdbID: "\($0)", title: "Film \($0)", director: director) }
            try context.save()
            movies[0].title = "Changed"
            context.delete(movies[1])
            let added = Movie(context: context, imdbID: "4", title: "Film 4", director: director)
            movies.append(added)
            context.processPendingChanges()
        }
        let last = try #require(seen.last)
        #expect(seen.count == 2)
        #expect(last.inserted == [movies[3]])
        #expect(last.updated == [movies[0]])
        #expect(last.deleted == [movies[1]])
        #expect(Set(last.all) == [movies[0], movies[1], movies[3]])
        #expect(Set(last.some) == [movies[1], movies[3]])
        #expect(last.directors.map(\.name) == ["Sergio Leone"])
    }

    @Test("the save notification answers the same questions")
    func didSave() throws {
        var titles: [String] = []
        try observe(.NSManagedObjectContextDidSave) { notification in
            notification.insertedManagedObjects().forEach { (movie: Movie) in titles.append(movie.title) }
        } during: { context in
            let director = Director(context: context, name: "John Ford")
            _ = Movie(context: context, imdbID: "1", title: "The Searchers", director: director)
            try context.save()
        }
        #expect(titles == ["The Searchers"])
    }

    @Test("a notification without changes gives empty arrays")
    func otherNotification() {
        let notification = Notification(name: .init("other"), userInfo: [NSInsertedObjectsKey: "text"])
        #expect((notification.changedManagedObjects() as [Movie]).isEmpty)
        #expect((Notification(name: .init("none")).insertedManagedObjects() as [NSManagedObject]).isEmpty)
    }
}
