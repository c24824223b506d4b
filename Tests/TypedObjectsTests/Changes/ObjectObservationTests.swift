import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Observing one object")
struct ObjectObservationTests {
    @Test("only its own changes, of the properties asked for")
    func changes() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            let other = try ChangedValueTests.film(context, "Ikiru")
            var log: [String] = []
            let observations = [
                context.observe(movie) { log.append("any \($0.kind)") },
                context.observe(movie, changing: \.title) { log.append("title \($0.old(\.title) ?? "") → \($0.object.title)") },
            ]
            other.title = "生きる"
            context.processPendingChanges()
            #expect(log.isEmpty)
            movie.duration = 162
            context.processPendingChanges()
            movie.title = "乱"
            context.processPendingChanges()
            context.delete(movie)
            try context.save()
            #expect(log == ["any updated", "any updated", "title Ran → 乱", "any deleted", "title 乱 → 乱"])
            observations.forEach { $0.cancel() }
        }
    }

    @Test("a refresh and a reset are told")
    func refreshing() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var log: [String] = []
            let observation = context.observe(movie) { log.append("\($0.kind)") }
            context.refresh(movie, mergeChanges: false)
            context.processPendingChanges()
            context.reset()
            #expect(log == ["refreshed", "invalidated"])
            observation.cancel()
        }
    }

    @Test("kinds that a class's observer may ask for: refreshed and invalidated objects")
    func refreshedObjects() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var (refreshed, invalidated, rounds): (Set<Movie>, Set<Movie>, Int) = ([], [], 0)
            let observations = [
                context.changes(of: Movie.self).kinds([.refreshed, .invalidated]).observe { changes in
                    refreshed.formUnion(changes.refreshed)
                    invalidated.formUnion(changes.invalidated)
                    #expect(changes.updated.isEmpty)
                },
                context.observe(Movie.self) { _ in rounds += 1 },
            ]
            context.refresh(movie, mergeChanges: true)
            context.processPendingChanges()
            context.reset()
            #expect(refreshed == [movie] && invalidated == [movie] && rounds == 0)
            observations.forEach { $0.cancel() }
        }
    }

    @Test("the observation does not keep the object, nor the object the observation")
    func lifetime() throws {
        try TestStore.cinema().run { context in
            weak var held: Movie?
            var count = 0
            let observation: ManagedObjectObservation
            do {
                let movie = try ChangedValueTests.film(context)
                held = movie
                observation = context.observe(movie) { _ in count += 1 }
                context.refreshAllObjects()
                context.processPendingChanges()
            }
            #expect(held == nil && count == 1)
            let again = try #require(try context.fetch(Movie.self).first)
            again.title = "乱"
            context.processPendingChanges()
            #expect(count == 1)
            observation.cancel()
        }
    }

    @Test("an observer may change objects, cancel itself and make others while it is being told")
    func handlersThatAct() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var log: [String] = []
            var observations: [ManagedObjectObservation] = []
            observations.append(
                context.observe(movie) { change in
                    log.append("first")
                    observations[0].cancel()
                    change.object.userRating = 1
                    observations.append(context.observe(movie) { _ in log.append("second") })
                })
            movie.title = "乱"
            context.processPendingChanges()
            #expect(log == ["first"])
            context.processPendingChanges()
            #expect(log == ["first", "second"])
            movie.title = "Ran"
            context.processPendingChanges()
            #expect(log == ["first", "second", "second"])
            observations.forEach { $0.cancel() }
        }
    }

    @Test("an observation that is cancelled by another observer hears nothing more, not of the same round either")
    func cancelledByAnother() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var log: [String] = []
            var second: ManagedObjectObservation?
            let first = context.observe(movie) { _ in
                log.append("first")
                second?.cancel()
            }
            second = context.observe(movie) { _ in log.append("second") }
            movie.title = "乱"
            context.processPendingChanges()
            #expect(log == ["first"])
            first.cancel()
        }
    }

    @Test("as a sequence", .timeLimit(.minutes(5)))
    func sequence() async throws {
        let store = try TestStore.cinema()
        let context = store.context
        nonisolated(unsafe) var movie: Movie?
        let changes = try context.performAndWait {
            let film = try ChangedValueTests.film(context)
            movie = film
            return context.changes(of: film).changing(\.title, \.director.name).stream()
        }
        context.performAndWait { movie?.duration = 1 }
        context.performAndWait { movie?.director.name = "Kurosawa" }
        context.performAndWait { movie?.title = "乱" }
        var iterator = changes.makeAsyncIterator()
        let first = try #require(await iterator.next())
        let second = try #require(await iterator.next())
        let keys = await context.perform { [first, second].map(\.changedKeys) }
        #expect(keys == [[], ["title"]])
        #expect(first.id == second.id && first.kind == .updated)
    }
}
