import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Typed observers and merged changes")
struct MergedChangesTests {
    private struct Round: Equatable {
        var inserted: Set<String> = []
        var updated: Set<String> = []
        var deleted: Set<String> = []
        let origin: ManagedObjectChangeOrigin
    }

    private final class Log {
        private var rounds: [Round] = []

        func add(_ changes: ManagedObjectChanges<Movie>) {
            rounds.append(
                Round(
                    inserted: Set(changes.inserted.map(\.title)), updated: Set(changes.updated.map(\.title)),
                    deleted: Set(changes.deleted.map(\.title)), origin: changes.origin))
        }

        func take() -> [Round] {
            defer { rounds = [] }
            return rounds
        }
    }

    /// The IDs of what a context saves, as another process could tell them.
    private func save(_ context: NSManagedObjectContext) throws -> [AnyHashable: Any] {
        let (inserted, updated, deleted) = (context.insertedObjects, context.updatedObjects, context.deletedObjects)
        try context.save()
        return [
            NSInsertedObjectsKey: inserted.map { $0.objectID.uriRepresentation() },
            NSUpdatedObjectsKey: updated.map { $0.objectID.uriRepresentation() },
            NSDeletedObjectsKey: deleted.map { $0.objectID.uriRepresentation() },
        ]
    }

    @Test("B03, B10, B12: an observer hears of what another coordinator saved, by kind, and that it was merged")
    func otherCoordinator() throws {
        let folder = try TemporaryFolder()
        let here = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        let elsewhere = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        let log = Log()
        let observation = try here.run { $0.observe(Movie.self) { log.add($0) } }
        var changes = try elsewhere.run { context in
            let director = Director(context: context, name: "Akira Kurosawa")
            for title in ["Ran", "Ikiru"] { _ = Movie(context: context, imdbID: title, title: title, director: director) }
            return try save(context)
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [here.context])
        #expect(log.take() == [Round(inserted: ["Ran", "Ikiru"], origin: .merge)])
        let held = try here.run { context in
            #expect(!context.hasChanges && context.registeredObjects.isEmpty)
            return try context.fetch(Movie.self)
        }
        try here.run { _ in #expect(Set(held.map(\.title)) == ["Ran", "Ikiru"]) }
        changes = try elsewhere.run { context in
            for movie in try context.fetch(Movie.self) {
                if movie.title == "Ran" { movie.title = "乱" } else { context.delete(movie) }
            }
            return try save(context)
        }
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [here.context])
        #expect(log.take() == [Round(updated: ["乱"], deleted: ["Ikiru"], origin: .merge)])
        try here.run { context in
            held.first { $0.title == "乱" }?.duration = 162
            context.processPendingChanges()
        }
        #expect(log.take() == [Round(updated: ["乱"], origin: .local)])
        observation.cancel()
    }

    @Test("B03: a context that merges by itself tells its observers of every save, and never of its own twice")
    func automatically() async throws {
        let store = try TestStore.cinema()
        let log = Log()
        let observation = try store.run { context in
            context.automaticallyMergesChangesFromParent = true
            return context.observe(Movie.self) { log.add($0) }
        }
        _ = try store.fresh { context in
            let movie = Movie(
                context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"))
            try context.save()
            return movie
        }
        await store.context.perform(schedule: .enqueued) {}
        #expect(log.take() == [Round(inserted: ["Ran"], origin: .merge)])
        try store.run { context in
            let movie = try context.fetch(Movie.self)[0]
            movie.duration = 162
            try context.save()
        }
        await store.context.perform(schedule: .enqueued) {}
        #expect(log.take() == [Round(updated: ["Ran"], origin: .local)])
        observation.cancel()
    }

    @Test("B10: undone changes say so")
    func undone() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            let log = Log()
            let observation = context.observe(Movie.self) { log.add($0) }
            let movie = Movie(
                context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"))
            try context.save()
            context.undoManager = UndoManager()
            movie.duration = 162
            context.processPendingChanges()
            _ = log.take()
            context.undo()
            #expect(log.take() == [Round(updated: ["Ran"], origin: .undo)])
            observation.cancel()
        }
    }
}
