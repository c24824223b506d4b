import OpenCoreData
import TestSupport
import Testing

@Suite("Changes as a value that is observed or waited for")
struct ChangeValueTests {
    private static func movie(_ context: NSManagedObjectContext, _ title: String, _ duration: Int32) -> Movie {
        Movie(
            context: context, imdbID: title, title: title, director: Director(context: context, name: title), duration: duration)
    }

    @Test("conditions of all three forms have to be fulfilled all, in whatever order they stand")
    func conditions() throws {
        try TestStore.cinema().run { context in
            var (first, second): ([[String]], [[String]]) = ([], [])
            let long = context.changes(of: Movie.self).where(\.duration > 90)
            let observations = [
                long.where(#Predicate { $0.title != "c" }).where(NSPredicate(format: "title != 'd'")).inserted().observe {
                    first.append($0.inserted.map(\.title).sorted())
                },
                context.changes(of: Movie.self).inserted().where(NSPredicate(format: "title != 'd'")).where(\.duration > 90)
                    .observe {
                        second.append($0.inserted.map(\.title).sorted())
                    },
            ]
            for (title, duration) in [("a", 80), ("b", 100), ("c", 100), ("d", 100)] as [(String, Int32)] {
                _ = Self.movie(context, title, duration)
            }
            context.processPendingChanges()
            #expect(first == [["b"]] && second == [["b", "c"]])
            withExtendedLifetime(observations) {}
        }
    }

    @Test("kinds and properties of several calls add up; a method changes no value but its own")
    func additions() throws {
        try TestStore.cinema().run { context in
            let all = context.changes(of: Movie.self)
            let properties = all.changing(\.title).changing(Movie.keys.director.name)
            var log: [String] = []
            let observations = [
                all.deleted().inserted().observe { log += $0.map { "come or go: \($0.kind)" } },
                all.observe { log += $0.map { "all: \($0.kind)" } },
                properties.updated().observe { log += $0.map { "properties: \($0.kind)" } },
                all.kinds([]).changing(\.duration).updated().observe { log += $0.map { "duration: \($0.kind)" } },
            ]
            let movie = Self.movie(context, "Ran", 90)
            context.processPendingChanges()
            #expect(log == ["come or go: inserted", "all: inserted"])
            log = []
            movie.title = "乱"
            context.processPendingChanges()
            #expect(log == ["all: updated", "properties: updated"])
            log = []
            movie.director.name = "Kurosawa"
            context.processPendingChanges()
            #expect(log == ["properties: updated"])
            log = []
            movie.duration = 162
            context.processPendingChanges()
            #expect(log == ["all: updated", "duration: updated"])
            log = []
            context.delete(movie)
            context.processPendingChanges()
            #expect(log == ["come or go: deleted", "all: deleted"])
            withExtendedLifetime(observations) {}
        }
    }

    @Test("one value serves several observers and readers, each from when it begins", .timeLimit(.minutes(5)))
    func severalReaders() async throws {
        let store = try TestStore.cinema()
        let context = store.context
        let changes = context.changes(of: Movie.self).inserted()
        func insert(_ title: String) async { await context.perform { _ = Self.movie(context, title, 1) } }
        await insert("before all")
        let early = changes.stream()
        await insert("for one")
        var late = changes.makeAsyncIterator()
        await insert("for both")
        var earlyIterator = early.makeAsyncIterator()
        let rounds = [await earlyIterator.next(), await earlyIterator.next(), await late.next()]
        let titles = await context.perform { rounds.map { $0?.inserted.map(\.title) } }
        #expect(titles == [["for one"], ["for both"], ["for both"]])
        #expect(rounds[1]?.ids.inserted == rounds[2]?.ids.inserted)
    }

    @Test("a value keeps neither its context nor its object; without its context it ends at once", .timeLimit(.minutes(5)))
    func keepsNothing() async throws {
        let store = try TestStore.cinema()
        nonisolated(unsafe) weak var context: NSManagedObjectContext?
        nonisolated(unsafe) weak var director: Director?
        func make() -> ManagedObjectChangeSequence<Director, ManagedObjectChange<Director>> {
            let new = store.container.newBackgroundContext()
            context = new
            return new.performAndWait {
                let kurosawa = Director(context: new, name: "Kurosawa")
                director = kurosawa
                return new.changes(of: kurosawa)
            }
        }
        let changes = make()
        #expect(context == nil && director == nil)
        for await _ in changes { Issue.record("there is nothing to tell") }
        var told = 0
        let observation = changes.observe { _ in told += 1 }
        #expect(told == 0)
        observation.cancel()
    }

    @Test("a condition that can't be evaluated is an error of each round, whatever form it has")
    func mistakes() throws {
        try TestStore.cinema().run { context in
            var errors: [Int] = []
            let changes = context.changes(of: Movie.self).where(NSPredicate(format: "title MATCHES imdbID"))
            let observation = changes.where(\.duration > 0).observe { changes in
                errors.append(changes.errors.count)
                #expect(changes.counts == (0, 0, 0))
            }
            _ = Self.movie(context, "[", 162)
            context.processPendingChanges()
            #expect(errors == [1])
            observation.cancel()
        }
    }
}
