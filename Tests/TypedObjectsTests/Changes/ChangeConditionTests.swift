import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Observing under a condition")
struct ChangeConditionTests {
    /// The kinds and the titles of the changes, in order.
    private final class Log {
        private var lines: [String] = []

        func add(_ changes: ManagedObjectChanges<Movie>) {
            lines += changes.map { "\($0.kind) \($0.old(\.title) ?? $0.object.title)" }
        }

        func take() -> [String] {
            defer { lines = [] }
            return lines.sorted()
        }
    }

    private static func films(_ context: NSManagedObjectContext, _ durations: [String: Int32]) throws -> [String: Movie] {
        let director = Director(context: context, name: "Akira Kurosawa")
        let films = durations.map { Movie(context: context, imdbID: $0, title: $0, director: director, duration: $1) }
        try context.save()
        return Dictionary(uniqueKeysWithValues: films.map { ($0.title, $0) })
    }

    @Test("objects enter and leave by a change; those inside are updated, those outside are not told of")
    func enteringAndLeaving() throws {
        try TestStore.cinema().run { context in
            let films = try Self.films(context, ["a": 100, "b": 200, "c": 50])
            let (log, typed) = (Log(), Log())
            let limit: Int32 = 90
            let observations = [
                context.changes(of: Movie.self).where(#Predicate { $0.duration > limit }).observe { log.add($0) },
                context.changes(of: Movie.self).where(\.duration > 90).observe { typed.add($0) },
            ]
            defer { observations.forEach { $0.cancel() } }
            films["a"]?.duration = 80
            films["b"]?.userRating = 9
            films["c"]?.userRating = 9
            context.processPendingChanges()
            #expect(log.take() == ["left a", "updated b"])
            films["c"]?.duration = 91
            films["a"]?.userRating = 1
            _ = Movie(context: context, imdbID: "d", title: "d", director: films["a"]!.director, duration: 300)
            _ = Movie(context: context, imdbID: "e", title: "e", director: films["a"]!.director, duration: 3)
            context.processPendingChanges()
            #expect(log.take() == ["entered c", "inserted d"])
            films["c"].map(context.delete)
            films["a"].map(context.delete)
            context.processPendingChanges()
            #expect(log.take() == ["deleted c"])
            #expect(typed.take() == ["deleted c", "entered c", "inserted d", "left a", "updated b"])
        }
    }

    @Test("what is deleted is judged by its last values, what was changed in between by those of the last round")
    func lastValues() throws {
        try TestStore.cinema().run { context in
            let films = try Self.films(context, ["a": 100, "b": 200])
            let log = Log()
            let observation = context.changes(of: Movie.self).where(#Predicate { $0.duration > 150 }).observe { log.add($0) }
            defer { observation.cancel() }
            films["a"]?.duration = 160
            context.processPendingChanges()
            #expect(log.take() == ["entered a"])
            films["a"]?.duration = 170
            context.processPendingChanges()
            #expect(log.take() == ["updated a"])
            films["a"]?.duration = 100
            try context.save()
            #expect(log.take() == ["left a"])
            films["b"].map(context.delete)
            try context.save()
            #expect(log.take() == ["deleted b"])
        }
    }

    @Test("kinds: entered and left belong to updated, and can be asked for alone")
    func kinds() throws {
        try TestStore.cinema().run { context in
            let films = try Self.films(context, ["a": 100])
            let (updated, entered, inserted) = (Log(), Log(), Log())
            let observations = [
                context.changes(of: Movie.self).updated().where(\.duration > 150).observe { updated.add($0) },
                context.changes(of: Movie.self).kinds(.entered).where(\.duration > 150).observe { entered.add($0) },
                context.changes(of: Movie.self).inserted().where(\.duration > 150).observe { inserted.add($0) },
            ]
            for duration: Int32 in [160, 170, 100] {
                films["a"]?.duration = duration
                context.processPendingChanges()
            }
            #expect(updated.take() == ["entered a", "left a", "updated a"])
            #expect(entered.take() == ["entered a"])
            #expect(inserted.take().isEmpty)
            observations.forEach { $0.cancel() }
        }
    }

    @Test("only changes of certain properties; new and deleted objects are told of all the same")
    func properties() throws {
        try TestStore.cinema().run { context in
            let films = try Self.films(context, ["a": 100, "b": 200])
            let log = Log()
            let observation = context.observe(Movie.self, changing: \.title, \.scenes) { log.add($0) }
            defer { observation.cancel() }
            films["a"]?.duration = 80
            films["b"]?.title = "B"
            context.processPendingChanges()
            #expect(log.take() == ["updated b"])
            films["a"]?.title = "a"
            context.processPendingChanges()
            #expect(log.take().isEmpty)
            films["a"]?.scenes = [Scene(context: context, text: "1")]
            _ = Movie(context: context, imdbID: "c", title: "c", director: films["a"]!.director)
            context.processPendingChanges()
            #expect(log.take() == ["inserted c", "updated a"])
            films["b"].map(context.delete)
            context.processPendingChanges()
            #expect(log.take() == ["deleted B"])
        }
    }

    @Test("a predicate and properties: coming and going is told of whatever changed")
    func both() throws {
        try TestStore.cinema().run { context in
            let films = try Self.films(context, ["a": 100])
            let log = Log()
            let observation = context.changes(of: Movie.self).where(#Predicate { $0.duration > 150 }).changing(\.title).observe {
                log.add($0)
            }
            defer { observation.cancel() }
            films["a"]?.duration = 160
            context.processPendingChanges()
            films["a"]?.duration = 170
            context.processPendingChanges()
            #expect(log.take() == ["entered a"])
            films["a"]?.title = "A"
            context.processPendingChanges()
            #expect(log.take() == ["updated a"])
        }
    }

    @Test("a path through a to-one relationship tells of changes at its end")
    func throughToOne() throws {
        try TestStore.cinema().run { context in
            let films = try Self.films(context, ["a": 100, "b": 200])
            let log = Log()
            let observation = context.observe(Movie.self, changing: \.director.name) { log.add($0) }
            defer { observation.cancel() }
            films["a"]?.director.name = "Kurosawa"
            context.processPendingChanges()
            #expect(log.take() == ["updated a", "updated b"])
            films["a"]?.director = Director(context: context, name: "Ozu")
            context.processPendingChanges()
            #expect(log.take() == ["updated a"])
            films["b"]?.duration = 7
            context.processPendingChanges()
            #expect(log.take().isEmpty)
        }
    }

    @Test("B01: a plain observer hears of members only; one with a path to their values hears of these, too")
    func throughToMany() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            let (scenes, other) = (movie.scenes, try ChangedValueTests.film(context, "Ikiru"))
            var (plain, deep, all) = (0, 0, [String]())
            let observations = [
                context.observe(movie) { _ in plain += 1 },
                context.observe(movie, changing: \.scenes[each: \.text]) { _ in deep += 1 },
                context.observe(Movie.self, changing: \.scenes[each: \.text]) { all += $0.map(\.object.title) },
            ]
            defer { observations.forEach { $0.cancel() } }
            scenes[0].text = "changed"
            context.processPendingChanges()
            #expect((plain, deep) == (0, 1) && all == ["Ran"])
            movie.scenes.append(Scene(context: context, text: "second"))
            context.processPendingChanges()
            #expect((plain, deep) == (1, 2) && all == ["Ran", "Ran"])
            other.scenes[0].text = "changed"
            context.processPendingChanges()
            #expect((plain, deep) == (1, 2) && all == ["Ran", "Ran", "Ikiru"])
            movie.duration = 3
            context.processPendingChanges()
            #expect((plain, deep) == (2, 2) && all.count == 3)
            #expect(movie.scenes[each: \.text] == ["changed", "second"])
        }
    }

    @Test("keys lead through optional relationships, and through to-many ones")
    func keys() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            let scene = movie.scenes[0]
            var log: [String] = []
            let observations = [
                context.changes(of: Scene.self).changing(Scene.keys.movie.title).observe { log += $0.map(\.object.text) },
                context.changes(of: scene).changing(Scene.keys.movie.director.name, Scene.keys.text).observe {
                    log.append("\($0.kind)")
                },
                context.changes(of: movie).changing(Movie.keys.scenes.text).observe { log.append($0.object.title) },
            ]
            defer { observations.forEach { $0.cancel() } }
            movie.title = "乱"
            context.processPendingChanges()
            #expect(log == ["first"])
            movie.director.name = "Kurosawa"
            context.processPendingChanges()
            #expect(log == ["first", "updated"])
            scene.text = "1"
            context.processPendingChanges()
            #expect(log == ["first", "updated", "updated", "乱"])
            #expect(Movie.keys.scenes.text.storedName == "scenes.text")
        }
    }

    @Test("what a predicate throws is told, and the other objects too")
    func throwingPredicate() throws {
        try TestStore.cinema().run { context in
            let films = try Self.films(context, ["a": 100, "b": 200])
            var errors = 0
            let log = Log()
            let observation = context.changes(of: Movie.self).where(Movie.keys.title.matches("[")).observe { changes in
                errors += changes.errors.count
                log.add(changes)
            }
            defer { observation.cancel() }
            films["a"]?.duration = 1
            films["b"]?.duration = 2
            context.processPendingChanges()
            #expect(errors == 2 && log.take().isEmpty)
        }
    }

    @Test("subclasses take part, and a condition on a superclass's property works for them")
    func subclasses() throws {
        try TestStore.cinema().run { context in
            let director = Director(context: context, name: "Akira Kurosawa")
            let sequel = SecondPart(context: context, imdbID: "2", title: "Sanjuro", director: director)
            try context.save()
            var log: [String] = []
            let observations = [
                context.changes(of: SecondPart.self).where(#Predicate { $0.title == "椿三十郎" && $0.part == 2 }).observe {
                    log += $0.map { "\($0.kind)" }
                },
                context.observe(Movie.self, changing: \.title) { log += $0.map { "\($0.kind)" } },
                context.observe(SecondPart.self, changing: \.title) { log += $0.map { "\($0.kind)" } },
            ]
            defer { observations.forEach { $0.cancel() } }
            sequel.title = "椿三十郎"
            context.processPendingChanges()
            #expect(log == ["entered", "updated", "updated"])
        }
    }

    @Test("as a sequence, with a condition", .timeLimit(.minutes(5)))
    func sequences() async throws {
        let store = try TestStore.cinema()
        let context = store.context
        let changes = context.performAndWait {
            context.changes(of: Movie.self).where(#Predicate { $0.duration > 90 }).changing(\.duration).stream()
        }
        let typed = context.performAndWait { context.changes(of: Movie.self).where(Movie.keys.duration > 90).stream() }
        try await context.perform {
            let movie = Movie(
                context: context, imdbID: "a", title: "a", director: Director(context: context, name: "x"), duration: 80)
            try context.save()
            movie.duration = 100
        }
        var iterator = changes.makeAsyncIterator()
        let round = try #require(await iterator.next())
        #expect(round.ids.entered.count == 1 && round.count(.entered) == 1 && round.counts == (0, 0, 0))
        let values = await context.perform { round.map { [$0.old(\.duration), $0.new(\.duration)] } }
        #expect(values == [[80, 100]])
        var other = typed.makeAsyncIterator()
        #expect(await other.next()?.ids.entered == round.ids.entered)
    }
}
