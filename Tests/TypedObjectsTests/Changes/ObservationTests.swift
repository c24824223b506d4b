import Foundation
import OpenCoreData
import Synchronization
import Testing

@Suite("Observing the objects of a class")
struct ObservationTests {
    /// What a test's observer has seen, by title or name.
    private final class Log {
        var rounds: [(inserted: Set<String>, updated: Set<String>, deleted: Set<String>)] = []
        var inserted: [Set<String>] { rounds.map(\.inserted) }

        func add(_ changes: ManagedObjectChanges<Movie>) {
            rounds.append(
                (Set(changes.inserted.map(\.imdbID)), Set(changes.updated.map(\.imdbID)), Set(changes.deleted.map(\.imdbID))))
        }
    }

    @Test("each round tells of what was inserted, updated and deleted, once, with the class's own objects only")
    func kinds() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            let log = Log()
            let observation = context.observe(Movie.self) { log.add($0) }
            let director = Director(context: context, name: "Akira Kurosawa")
            let movies = (1...3).map { Movie(context: context, imdbID: "\($0)", title: "Film \($0)", director: director) }
            #expect(log.rounds.isEmpty)
            context.processPendingChanges()
            try context.save()
            movies[0].title = "Changed"
            movies[0].userRating = 9
            context.delete(movies[1])
            _ = Movie(context: context, imdbID: "4", title: "Film 4", director: director)
            context.processPendingChanges()
            try #require(log.rounds.count == 2)
            #expect(log.rounds[0] == (["1", "2", "3"], [], []))
            #expect(log.rounds[1] == (["4"], ["1"], ["2"]))
            director.name = "Kurosawa Akira"
            context.processPendingChanges()
            #expect(log.rounds.count == 2)
            observation.cancel()
        }
    }

    @Test("only the kinds that were asked for")
    func someKinds() throws {
        try TestStore.cinema().run { context in
            let log = Log()
            let observation = context.changes(of: Movie.self).inserted().deleted().observe { log.add($0) }
            defer { observation.cancel() }
            let movie = Movie(
                context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"))
            context.processPendingChanges()
            try context.save()
            movie.title = "Kagemusha"
            context.processPendingChanges()
            context.delete(movie)
            context.processPendingChanges()
            try #require(log.rounds.count == 2)
            #expect(log.rounds[0] == (["1"], [], []))
            #expect(log.rounds[1] == ([], [], ["1"]))
        }
    }

    @Test("objects of subclasses count as objects of the class, not the other way round")
    func subclasses() throws {
        try TestStore.cinema().run { context in
            let log = Log()
            var parts: [Int] = []
            var all = 0
            let observations = [
                context.observe(Movie.self) { log.add($0) },
                context.observe(SecondPart.self) { parts += $0.inserted.map(\.part) },
                context.observe(NSManagedObject.self) { all += $0.inserted.count },
            ]
            defer { observations.forEach { $0.cancel() } }
            let director = Director(context: context, name: "Akira Kurosawa")
            _ = Movie(context: context, imdbID: "1", title: "Yojimbo", director: director)
            _ = SecondPart(context: context, imdbID: "2", title: "Sanjuro", director: director)
            context.processPendingChanges()
            #expect(log.inserted == [["1", "2"]])
            #expect(parts == [2])
            #expect(all == 3)
        }
    }

    @Test("changes that a handler makes come in a round of their own")
    func changesInHandler() throws {
        try TestStore.cinema().run { context in
            let log = Log()
            let observation = context.observe(Movie.self) { changes in
                log.add(changes)
                for movie in changes.inserted { movie.duration = 90 }
            }
            defer { observation.cancel() }
            _ = Movie(context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"))
            context.processPendingChanges()
            context.processPendingChanges()
            try #require(log.rounds.count == 2)
            #expect(log.rounds[1] == ([], ["1"], []))
        }
    }

    @Test("a save and the end of perform deliver what is pending")
    func deliveryMoments() throws {
        let store = try TestStore.cinema()
        let log = Log()
        var observation: ManagedObjectObservation?
        try store.run { context in
            observation = context.observe(Movie.self) { log.add($0) }
            _ = Movie(context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"))
        }
        #expect(log.inserted == [["1"]])
        try store.run { context in
            let director = try #require(try context.fetch(Director.self).first)
            _ = Movie(context: context, imdbID: "2", title: "Kagemusha", director: director)
            try context.save()
            #expect(log.inserted == [["1"], ["2"]])
        }
        observation?.cancel()
    }

    @Test("the observation ends with its token, or when it is cancelled, and then lets go of its handler")
    func tokenLifetime() throws {
        try TestStore.cinema().run { context in
            let director = Director(context: context, name: "Akira Kurosawa")
            let log = Log()
            weak var held: NSObject?
            func change(_ id: String) {
                _ = Movie(context: context, imdbID: id, title: "Film", director: director)
                context.processPendingChanges()
            }
            do {
                let captured = NSObject()
                held = captured
                let observation = context.observe(Movie.self) { changes in
                    _ = captured
                    log.add(changes)
                }
                change("1")
                withExtendedLifetime(observation) {}
            }
            change("2")
            #expect(log.inserted == [["1"]])
            #expect(held == nil)
            let observation = context.observe(Movie.self) { log.add($0) }
            change("3")
            observation.cancel()
            observation.cancel()
            change("4")
            #expect(log.inserted == [["1"], ["3"]])
        }
    }

    @Test("a token does not keep the context, and may end after it and on another thread")
    func tokenOutlivesContext() async throws {
        let store = try TestStore.cinema()
        weak var weakContext: NSManagedObjectContext?
        let observation: ManagedObjectObservation
        do {
            let context = store.container.newBackgroundContext()
            weakContext = context
            observation = context.performAndWait { context.observe(Movie.self) { _ in } }
        }
        #expect(weakContext == nil)
        await Task.detached { observation.cancel() }.value
    }

    @Test("taking objects out on a foreign thread stops the program")
    func confinement() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let store = try TestStore.cinema()
            let box = Mutex<ManagedObjectChanges<Movie>?>(nil)
            let observation = try store.run { context in
                let observation = context.observe(Movie.self) { changes in box.withLock { $0 = changes } }
                _ = Movie.makeInstance(in: context)
                return observation
            }
            let changes = try #require(box.withLock { $0 })
            #expect(changes.counts == (1, 0, 0))
            print(changes.inserted.count)
            withExtendedLifetime(observation) {}
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("The objects of ManagedObjectChanges<Movie> belong to the queue of"))
    }

    @Test("objects made by entity only, not by class, are of the class all the same")
    func entityMadeObjects() throws {
        try TestStore.cinema().run { context in
            let log = Log()
            let observation = context.observe(Movie.self) { log.add($0) }
            defer { observation.cancel() }
            let entity = try #require(NSEntityDescription.entity(forEntityName: "Sequel", in: context))
            let object = NSManagedObject(entity: entity, insertInto: context)
            object.setValue("9", forKey: "imdbID")
            #expect(object is SecondPart)
            context.processPendingChanges()
            #expect(log.inserted == [["9"]])
        }
    }
}

@Suite("Changes as an asynchronous sequence")
struct ChangeSequenceTests {
    @Test("rounds arrive in order; their objects are used in perform", .timeLimit(.minutes(5)))
    func rounds() async throws {
        let store = try TestStore.cinema()
        let context = store.context
        let changes = context.performAndWait { context.changes(of: Movie.self).kinds([.inserted, .updated]).stream() }
        try await context.perform {
            let director = Director(context: context, name: "Akira Kurosawa")
            let movie = Movie(context: context, imdbID: "1", title: "Ran", director: director)
            try context.save()
            movie.title = "Kagemusha"
        }
        var iterator = changes.makeAsyncIterator()
        let first = try #require(await iterator.next())
        let second = try #require(await iterator.next())
        #expect(first.counts == (1, 0, 0))
        #expect(second.counts == (0, 1, 0))
        let titles = await context.perform { (first.inserted.map(\.title), second.updated.map(\.title)) }
        #expect(titles == (["Kagemusha"], ["Kagemusha"]))
    }

    @Test("the sequence ends with its context", .timeLimit(.minutes(5)))
    func endsWithContext() async throws {
        let store = try TestStore.cinema()
        func makeChanges() -> AsyncStream<ManagedObjectChanges<Movie>> {
            let context = store.container.newBackgroundContext()
            return context.performAndWait {
                let changes = context.changes(of: Movie.self).stream()
                _ = Movie.makeInstance(in: context)
                return changes
            }
        }
        var rounds = 0
        for await _ in makeChanges() { rounds += 1 }
        #expect(rounds == 1)
    }

    @Test("the sequence ends when its task is cancelled, and observation with it", .timeLimit(.minutes(5)))
    func cancellation() async throws {
        let store = try TestStore.cinema()
        let context = store.context
        let task = Task {
            var rounds = 0
            for await _ in context.performAndWait({ context.changes(of: Movie.self) }) { rounds += 1 }
            return rounds
        }
        task.cancel()
        #expect(await task.value == 0)
        context.performAndWait { _ = Movie.makeInstance(in: context) }
    }

    @Test("a buffering policy bounds what waits", .timeLimit(.minutes(5)))
    func buffering() async throws {
        let store = try TestStore.cinema()
        let context = store.context
        let changes = context.performAndWait { context.changes(of: Director.self).stream(bufferingPolicy: .bufferingNewest(1)) }
        for name in ["a", "b", "c"] { context.performAndWait { _ = Director(context: context, name: name) } }
        var iterator = changes.makeAsyncIterator()
        let last = try #require(await iterator.next())
        #expect(await context.perform { last.inserted.map(\.name) } == ["c"])
    }

    @MainActor
    @Test("with a main-queue context the objects are used on the main actor", .timeLimit(.minutes(5)))
    func mainActor() async throws {
        let store = try TestStore.cinema()
        let context = store.container.viewContext
        let changes = context.changes(of: Movie.self).stream()
        _ = Movie(context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"))
        context.processPendingChanges()
        for await round in changes {
            #expect(round.inserted.map(\.title) == ["Ran"])
            break
        }
    }
}
