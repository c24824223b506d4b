import Foundation
import OpenCoreData
import TestSupport
import Testing

/// What users of other frameworks reported about change notifications: here it is right. The numbers are those of the project's list of reports.
@Suite("Reports about change notifications")
struct ChangeReportTests {
    private struct Round: Equatable {
        var inserted: Set<String> = []
        var updated: Set<String> = []
        var deleted: Set<String> = []
    }

    private final class Log {
        private var rounds: [Round] = []

        func add(_ changes: ManagedObjectChanges<Movie>) {
            rounds.append(
                Round(
                    inserted: Set(changes.inserted.map(\.title)), updated: Set(changes.updated.map(\.title)),
                    deleted: Set(changes.deleted.map(\.title))))
        }

        func take() -> [Round] {
            defer { rounds = [] }
            return rounds
        }
    }

    private static func films(_ context: NSManagedObjectContext, _ titles: [String]) -> [Movie] {
        let director = Director(context: context, name: "Akira Kurosawa")
        return titles.map { Movie(context: context, imdbID: $0, title: $0, director: director) }
    }

    @Test("B01: a change to a member is none of its owner; adding or removing a member is")
    func members() throws {
        try TestStore.cinema().run { context in
            let movie = Self.films(context, ["Ran"])[0]
            let scene = Scene(context: context, text: "the castle burns")
            movie.scenes = [scene]
            try context.save()
            let (log, scenes) = (Log(), Log())
            var edited = 0
            let observations = [
                context.observe(Movie.self) { log.add($0) },
                context.changes(of: Scene.self).updated().observe { edited += $0.updated.count },
            ]
            scene.text = "the castle burns down"
            context.processPendingChanges()
            #expect(log.take().isEmpty && edited == 1)
            movie.scenes.append(Scene(context: context, text: "the blind flutist"))
            context.processPendingChanges()
            #expect(log.take() == [Round(updated: ["Ran"])])
            movie.scenes.removeFirst()
            #expect(movie.changedValues().keys.contains("scenes"))
            context.processPendingChanges()
            #expect(log.take() == [Round(updated: ["Ran"])])
            #expect(scenes.take().isEmpty)
            for observation in observations { observation.cancel() }
        }
    }

    @Test("B02: a save that deletes all and inserts anew tells of both, and later saves go on telling")
    func bulkDelete() throws {
        let store = try TestStore.cinema()
        let log = Log()
        let observation = try store.run { context in
            _ = Self.films(context, ["1", "2", "3"])
            try context.save()
            return context.observe(Movie.self) { log.add($0) }
        }
        let held = try store.run { try $0.fetch(Movie.self) }
        func save(_ body: @escaping (NSManagedObjectContext) throws -> Void) throws {
            let changes = try store.fresh { context in
                try body(context)
                let (inserted, deleted) = (context.insertedObjects, context.deletedObjects)
                try context.save()
                return [NSInsertedObjectsKey: inserted.map(\.objectID), NSDeletedObjectsKey: deleted.map(\.objectID)]
            }
            NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [store.context])
        }
        try save { context in
            for movie in try context.fetch(Movie.self) { context.delete(movie) }
            _ = Self.films(context, ["4", "5"])
        }
        #expect(log.take() == [Round(inserted: ["4", "5"], deleted: ["1", "2", "3"])])
        try save { _ = Self.films($0, ["6"]) }
        #expect(log.take() == [Round(inserted: ["6"])])
        try store.run { context in
            #expect(held.filter { !$0.isDeleted } == [])
            let titles = try context.fetch(Movie.self).map(\.title)
            #expect(Set(titles) == ["4", "5", "6"])
        }
        observation.cancel()
    }

    @Test(
        "B06: changes are told once, before performAndWait returns, without a run loop; in a child context, too",
        arguments: [false, true])
    func withoutRunLoop(_ isChild: Bool) throws {
        let store = try TestStore.cinema()
        let context = isChild ? NSManagedObjectContext(.privateQueue) : store.context
        if isChild { context.parent = store.context }
        // One thread at a time: this one waits for each block.
        nonisolated(unsafe) let log = Log()
        nonisolated(unsafe) var movie: Movie?
        let observation = try context.performAndWait {
            movie = Self.films(context, ["Ran"])[0]
            try context.save()
            return context.observe(Movie.self) { log.add($0) }
        }
        context.performAndWait {
            movie?.title = "乱"
            movie?.userRating = 9
        }
        #expect(log.take() == [Round(updated: ["乱"])])
        context.performAndWait {}
        #expect(log.take().isEmpty)
        observation.cancel()
    }

    @Test("B07: an import that sets what is there already tells nothing and writes nothing that differs")
    func equalValues() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            let movie = Self.films(context, ["Ran"])[0]
            movie.scenes = [Scene(context: context, text: "1"), Scene(context: context, text: "2")]
            try context.save()
            let log = Log()
            let observation = context.observe(Movie.self) { log.add($0) }
            let scenes = movie.scenes
            movie.scenes = scenes
            movie.director = movie.director
            movie.director.movies = movie.director.movies
            context.processPendingChanges()
            #expect(log.take().isEmpty && !context.hasChanges, "relationships")
            (movie.title, movie.userRating, movie.duration) = ("Ran", nil, 0)
            #expect(movie.changedValues().isEmpty && !movie.hasPersistentChangedValues)
            context.processPendingChanges()
            #expect(log.take().isEmpty, "attributes")
            // With Apple's framework the object counts as updated nevertheless.
            #expect(context.updatedObjects == [movie])
            try context.save()
            #expect(log.take().isEmpty)

            // Of two objects only the one that changed is told of; going back to what was saved is a change, too.
            let other = Self.films(context, ["Ikiru"])[0]
            try context.save()
            _ = log.take()
            (movie.title, other.title) = ("Ran", "生きる")
            context.processPendingChanges()
            #expect(log.take() == [Round(updated: ["生きる"])])
            other.title = "生きる"
            context.processPendingChanges()
            #expect(log.take().isEmpty, "with unsaved changes")
            other.title = "Ikiru"
            context.processPendingChanges()
            #expect(log.take() == [Round(updated: ["Ikiru"])])
            other.scenes = [scenes[0]]
            context.processPendingChanges()
            #expect(log.take() == [Round(updated: ["Ikiru", "Ran"])])
            observation.cancel()
        }
    }

    @Test(
        "B11: deleted objects, those of a cascade included, have their values when they are told of, and keep them after the save"
    )
    func deletedValues() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            _ = Self.films(context, ["Ran", "Ikiru"])
            try context.save()
        }
        try store.run { context in
            let director = try #require(try context.fetch(Director.self).first)
            let log = Log()
            var deleted: Set<Movie> = []
            let observation = context.changes(of: Movie.self).deleted().observe { changes in
                log.add(changes)
                deleted = changes.deleted
            }
            context.delete(director)
            try context.save()
            #expect(log.take() == [Round(deleted: ["Ran", "Ikiru"])])
            #expect(Set(deleted.map(\.imdbID)) == ["Ran", "Ikiru"] && deleted.allSatisfy { $0.managedObjectContext == nil })
            observation.cancel()
        }
    }

    @Test("B13: observing tells nothing by itself, and a save without changes neither")
    func silence() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            _ = Self.films(context, ["Ran"])
            try context.save()
            let log = Log()
            let observation = context.observe(Movie.self) { log.add($0) }
            context.processPendingChanges()
            try context.save()
            _ = try context.fetch(Movie.self)
            #expect(log.take().isEmpty)
            try context.fetch(Movie.self)[0].title = "乱"
            try context.save()
            #expect(log.take() == [Round(updated: ["乱"])])
            observation.cancel()
        }
    }
}
