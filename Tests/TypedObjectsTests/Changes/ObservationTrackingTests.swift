import Foundation
import Observation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@Suite("withObservationTracking hears of managed objects")
struct ObservationTrackingTests {
    /// Counts the calls of `onChange`.
    private final class Counter: Sendable {
        private let count = Mutex(0)

        func track(_ body: () -> Void) { withObservationTracking(body) { self.count.withLock { $0 += 1 } } }

        func take() -> Int {
            count.withLock { count in
                defer { count = 0 }
                return count
            }
        }
    }

    private func tracking(_ body: @escaping (NSManagedObjectContext, Movie, Counter) throws -> Void) throws {
        try TestStore.cinema().run { context in
            context.tracksObservation = true
            let movie = try ChangedValueTests.film(context)
            try body(context, movie, Counter())
        }
    }

    @Test("of the property that was read, once, and not of others")
    func properties() throws {
        try tracking { context, movie, counter in
            counter.track { _ = movie.title }
            movie.duration = 9
            #expect(counter.take() == 0)
            movie.title = "a"
            #expect(counter.take() == 1)
            movie.title = "b"
            #expect(counter.take() == 0)
            counter.track { _ = (movie.title, movie.duration) }
            movie.duration = 10
            movie.title = "c"
            #expect(counter.take() == 1)
            let other = try ChangedValueTests.film(context, "Ikiru")
            counter.track { _ = other.title }
            movie.title = "d"
            #expect(counter.take() == 0)
        }
    }

    @Test("of relationships, also where the other side changes; of enumerations; of dynamic reading")
    func kindsOfProperties() throws {
        try tracking { context, movie, counter in
            counter.track { _ = movie.scenes.count }
            let scene = Scene(context: context, text: "new")
            #expect(counter.take() == 0)
            scene.movie = movie
            #expect(counter.take() == 1)
            counter.track { _ = movie.director.name }
            movie.director.name = "Kurosawa"
            #expect(counter.take() == 1)
            counter.track { _ = movie.director.name }
            movie.director = Director(context: context, name: "Ozu")
            #expect(counter.take() == 1)
            counter.track { _ = (movie.genre, movie.ageLimit) }
            movie.ageLimit = .adult
            #expect(counter.take() == 1)
            counter.track { _ = movie.value(forKey: "length") }
            movie.setValue(7, forKey: "length")
            #expect(counter.take() == 1)
        }
    }

    @Test("of a refresh, an undo, a rollback, a deletion, a reset")
    func replacedValues() throws {
        try tracking { context, movie, counter in
            context.undoManager = UndoManager()
            counter.track { _ = movie.title }
            context.refresh(movie, mergeChanges: true)
            context.processPendingChanges()
            #expect(counter.take() == 1, "refresh")
            movie.title = "a"
            context.processPendingChanges()
            counter.track { _ = movie.title }
            context.undo()
            #expect(counter.take() == 1, "undo")
            movie.title = "b"
            context.processPendingChanges()
            counter.track { _ = movie.title }
            context.rollback()
            #expect(counter.take() == 1, "rollback")
            counter.track { _ = movie.title }
            context.delete(movie)
            context.processPendingChanges()
            #expect(counter.take() == 1, "deletion")
            context.rollback()
            counter.track { _ = movie.title }
            context.reset()
            #expect(counter.take() == 1, "reset")
        }
    }

    @Test("whoever is told may save, refresh or delete at once: nothing is lost")
    func handlersThatAct() throws {
        try tracking { context, movie, _ in
            movie.userRating = 1
            context.processPendingChanges()
            // On this queue, as everything here.
            nonisolated(unsafe) let unsafeMovie = movie
            withObservationTracking {
                _ = movie.duration
            } onChange: {
                #expect(throws: Never.self) { try context.save() }
            }
            movie.duration = 90
            #expect(movie.isUpdated)
            try context.save()
            withObservationTracking {
                _ = movie.title
            } onChange: {
                context.refresh(unsafeMovie, mergeChanges: false)
            }
            movie.title = "乱"
            try context.save()
            withObservationTracking {
                _ = movie.scenes
            } onChange: {
                #expect(throws: Never.self) { try context.save() }
            }
            movie.scenes = []
            try context.save()
            context.reset()
            let again = try #require(try context.fetch(Movie.self).first)
            #expect(again.duration == 90 && again.title == "乱" && again.scenes.isEmpty)
        }
    }

    @Test("what was registered goes with its object")
    func lifetime() throws {
        final class Captured: Sendable {}
        try tracking { context, _, _ in
            weak var held: Captured?
            try {
                let film = try ChangedValueTests.film(context, "Ikiru")
                // Loaded relationships hold their objects.
                context.refreshAllObjects()
                context.processPendingChanges()
                let captured = Captured()
                held = captured
                withObservationTracking {
                    _ = film.title
                } onChange: {
                    _ = captured
                }
                #expect(held != nil)
            }()
            context.processPendingChanges()
            #expect(held == nil)
        }
    }

    @Test("of a merge")
    func merges() throws {
        let store = try TestStore.cinema()
        let counter = Counter()
        let (movie, id) = try store.run { context in
            context.tracksObservation = true
            context.automaticallyMergesChangesFromParent = true
            let movie = try ChangedValueTests.film(context)
            counter.track { _ = movie.title }
            return (movie, movie.typedID)
        }
        try store.fresh { context in
            try context[id].title = "乱"
            try context.save()
        }
        try store.run { _ in #expect(movie.title == "乱") }
        #expect(counter.take() == 1)
    }

    @MainActor
    @Test("by default in main-queue contexts only")
    func defaults() throws {
        let store = try TestStore.cinema()
        #expect(store.container.viewContext.tracksObservation)
        let movie = try ChangedValueTests.film(store.container.viewContext)
        let counter = Counter()
        counter.track { _ = movie.title }
        movie.title = "乱"
        #expect(counter.take() == 1)
        try store.run { context in
            #expect(!context.tracksObservation)
            let movie = try ChangedValueTests.film(context, "Ikiru")
            counter.track { _ = movie.title }
            movie.title = "生きる"
            #expect(counter.take() == 0)
        }
    }
}
