import Foundation
import OpenCoreData
import TestSupport
import Testing

/// Two contexts on one store: what the second one saves is merged by the first one, which writes down what it is told.
final class Listening: @unchecked Sendable {
    // Unchecked: one thread at a time, as the test goes on.
    let store: TestStore
    let other: NSManagedObjectContext
    private(set) var saved: [Notification] = []
    private(set) var log: [String] = []
    private var tokens: [Any] = []

    init(at url: URL? = nil) throws {
        store = try .cinema(at: url)
        other = store.container.newBackgroundContext()
        tokens.append(
            NotificationCenter.default.addObserver(forName: .NSManagedObjectContextDidSave, object: other, queue: nil) {
                [unowned self] in saved.append($0)
            })
    }

    deinit {
        for case let token as any NSObjectProtocol in tokens { NotificationCenter.default.removeObserver(token) }
    }

    func hold(_ observations: Any...) { tokens += observations }
    func note(_ line: String) { log.append(line) }

    func take() -> [String] {
        defer { log = [] }
        return log.sorted()
    }

    /// Runs in the context that is told.
    func here<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) throws -> T { try store.run(body) }

    /// Runs in the other context, and saves it.
    @discardableResult
    func elsewhere<T>(_ body: @escaping (NSManagedObjectContext) throws -> T) throws -> T {
        nonisolated(unsafe) let body = body
        let other = other
        return try other.performAndWait {
            let result = try body(other)
            try other.save()
            return result
        }
    }

    /// Merges the saves of the other context, in order.
    func merge() throws {
        let saved = saved
        self.saved = []
        try here { context in saved.forEach { context.mergeChanges(fromContextDidSave: $0) } }
    }

    /// Directors of these names, in the context that is told, their names read.
    func directors(_ names: [String]) throws -> [Director] {
        try here { context in
            let made = names.map { Director(context: context, name: $0) }
            for director in made { _ = Movie(context: context, imdbID: director.name, title: director.name, director: director) }
            try context.save()
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(made.map(\.name) == names)
            return made
        }
    }
}

@Suite("What observers are told is what changed")
struct ToldChangesTests {
    private func names(_ context: NSManagedObjectContext) throws -> [Director] {
        try context.fetch(Director.self, sortedBy: [SortDescriptor(\.name)])
    }

    // MARK: Merging

    @Test("R20: a merge tells of what changed, not of what was saved as it was, nor of members that nobody has read")
    func merged() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a", "b", "c"])
        try pair.here { context in
            pair.hold(
                context.observe(Director.self) {
                    for change in $0 { pair.note("\(change.object.name) \(change.changedKeys.sorted())") }
                },
                context.observe(Director.self, changing: \.movies) { pair.note("movies \($0.count(.updated))") },
                context.changes(of: Director.self).kinds(.refreshed).observe {
                    pair.note("refreshed \($0.refreshed.map(\.name).sorted())")
                })
        }
        try pair.elsewhere { context in
            let found = try names(context)
            (found[0].name, found[1].name, found[2].name) = ("a2", "b2", "c")
        }
        try pair.merge()
        #expect(pair.take() == ["a2 [\"name\"]", "b2 [\"name\"]", "refreshed [\"a2\", \"b2\"]"])
        withExtendedLifetime(directors) {}
    }

    @Test("R20: the same save merged twice, by notification or by IDs, is told once")
    func twice() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a", "b"])
        let live = try pair.here { context in
            let live = try FetchedResults(Director.self, sortedBy: [Director.keys.name.ascending], in: context)
            pair.hold(
                context.observe(Director.self) { pair.note("\($0.counts)") },
                live.observe { pair.note("results \($0.updatedIDs.count) \($0.objectIDs.count)") })
            return live
        }
        try pair.elsewhere { context in
            let found = try names(context)
            found[0].name = "a2"
            context.delete(found[1])
            _ = Director(context: context, name: "new")
        }
        let saved = pair.saved
        try pair.merge()
        #expect(pair.take() == ["(inserted: 1, updated: 1, deleted: 1)", "results 1 2"])
        try pair.here { context in saved.forEach { context.mergeChanges(fromContextDidSave: $0) } }
        let ids = Dictionary(
            uniqueKeysWithValues: [NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey].map { key in
                (AnyHashable(key), (saved[0].userInfo?[key] as? Set<NSManagedObject> ?? []).map(\.objectID) as Any)
            })
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: ids, into: [pair.store.context])
        #expect(pair.take() == [])
        try pair.here { _ in #expect(live.map(\.name) == ["a2", "new"]) }
        withExtendedLifetime(directors) {}
    }

    @Test("R20: members that a merge brings, takes away, or leaves as they are")
    func members() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a", "b", "c"])
        try pair.here { context in
            for director in directors.prefix(2) { #expect(director.movies.count == 1) }
            pair.hold(
                context.observe(Director.self) {
                    for change in $0 {
                        pair.note("\(change.object.name) \(change.changedKeys.sorted()) \(change.old(\.movies)?.count ?? -1)")
                    }
                })
        }
        try pair.elsewhere { context in
            let found = try names(context)
            context.delete(try #require(found[0].movies.first))
            _ = Movie(context: context, imdbID: "second", title: "second", director: found[2])
            found[1].name = "b"
        }
        try pair.merge()
        // Who saved knows that the members of c changed, though they were never read here.
        #expect(pair.take() == ["a [\"movies\"] 1", "c [\"movies\"] 2"])
    }

    @Test("R20: faults that were saved as they were are told to nobody")
    func faults() throws {
        let pair = try Listening()
        let ids = try pair.directors(["a", "b"]).map(\.typedID)
        let held = try pair.here { context in
            context.reset()
            pair.hold(
                context.observe(Director.self) { for change in $0 { pair.note("\(change.kind) \(change.object.name)") } })
            return ids.map { context.object(with: $0.objectID) }
        }
        try pair.elsewhere { context in
            let found = try names(context)
            (found[0].name, found[1].name) = ("a", "b2")
        }
        try pair.merge()
        #expect(pair.take() == ["updated b2"])
        withExtendedLifetime(held) {}
    }

    @Test("R20: an explicit refresh tells the new values as changes, and of others that they were read again")
    func refreshed() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a", "b"])
        try pair.here { context in
            pair.hold(
                context.observe(Director.self) { pair.note("\($0.updated.map(\.name))") },
                context.changes(of: Director.self).kinds(.refreshed).changing(\.name).observe {
                    pair.note("name \($0.refreshed.map(\.name))")
                },
                context.changes(of: Director.self).kinds(.refreshed).observe {
                    pair.note("refreshed \($0.refreshed.map(\.name).sorted())")
                })
        }
        try pair.elsewhere { try names($0)[0].name = "a2" }
        try pair.here { context in
            for director in directors { context.refresh(director, mergeChanges: true) }
            context.processPendingChanges()
        }
        #expect(pair.take() == ["[\"a2\"]", "name [\"a2\"]", "refreshed [\"a2\", \"b\"]"])
    }

    @Test(
        "R21: an observer of one property of an object hears of no other one, by a merge or a refresh", arguments: [false, true])
    func oneProperty(_ isMerge: Bool) throws {
        let pair = try Listening()
        let id = try pair.here { try ChangedValueTests.film($0).typedID }
        let movie = try pair.here { context in
            let movie = try context[id]
            _ = (movie.title, movie.scenes.count, movie.director.name)
            pair.hold(
                context.observe(movie, changing: \.title) { pair.note("object \($0.kind)") },
                context.changes(of: Movie.self).kinds([.all, .refreshed]).changing(\.title, \.scenes).observe {
                    pair.note("class \($0.counts)")
                },
                context.observe(movie) { pair.note("\($0.kind) \($0.changedKeys.sorted())") })
            return movie
        }
        try pair.elsewhere { try $0[id].userRating = 9 }
        if isMerge {
            try pair.merge()
        } else {
            try pair.here { context in
                context.refresh(movie, mergeChanges: true)
                context.processPendingChanges()
            }
        }
        #expect(pair.take() == ["updated [\"userRating\"]"])
    }

    // MARK: Set and back

    @Test("R20: what was set and set back in one round did not change", arguments: [false, true])
    func setBack(_ isChangedBefore: Bool) throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            movie.scenes.append(Scene(context: context, text: "second"))
            try context.save()
            if isChangedBefore {
                (movie.title, movie.scenes) = ("Ran!", movie.scenes.reversed())
                context.processPendingChanges()
            }
            let (title, scenes, director) = (movie.title, movie.scenes, movie.director)
            let other = Director(context: context, name: "other")
            context.processPendingChanges()
            var log: [String] = []
            let observations = [
                context.observe(Movie.self) { log += $0.map { "\($0.changedKeys.sorted())" } },
                context.observe(Director.self) { log += $0.map { "\($0.object.name) \($0.changedKeys.sorted())" } },
            ]
            movie.title = "b"
            movie.title = title
            movie.scenes = scenes.reversed()
            movie.scenes = scenes
            movie.director = other
            movie.director = director
            context.processPendingChanges()
            #expect(log == [])
            movie.scenes = scenes.reversed()
            context.processPendingChanges()
            #expect(log == ["[\"scenes\"]"])
            observations.forEach { $0.cancel() }
        }
    }

    @Test("old members of an ordered relationship come in their old order")
    func oldOrder() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            movie.scenes += ["second", "third"].map { Scene(context: context, text: $0) }
            try context.save()
            var log: [[String]] = []
            let changes = context.changes(of: movie)
            let observations = [changes, changes.saved()].map { moment in
                moment.observe { log.append($0.old(\.scenes)?.map(\.text) ?? []) }
            }
            movie.scenes = [movie.scenes[2], movie.scenes[0], movie.scenes[1]]
            movie.scenes.remove(at: 1)
            try context.save()
            #expect(log == [["first", "second", "third"], ["first", "second", "third"]])
            observations.forEach { $0.cancel() }
        }
    }

    // MARK: Saves

    @Test("R20: observers of saves hear of what a save changed, not of what it wrote as it was")
    func saves() throws {
        let store = try TestStore.cinema()
        let log = Log()
        let observation = store.container.changes(of: Movie.self).observe { log.note("container \($0.updated.count)") }
        try store.run { context in
            let movies = try ["a", "b", "c"].map { try ChangedValueTests.film(context, $0) }
            log.lines = []
            let own = context.changes(of: Movie.self).saved().observe { log.note("own \($0.updated.map(\.title))") }
            (movies[0].title, movies[1].title, movies[2].title) = ("a2", "b", "x")
            context.processPendingChanges()
            movies[2].title = "c"
            movies[1].scenes = movies[1].scenes.reversed().reversed()
            try context.save()
            #expect(log.lines.sorted() == ["container 1", "own [\"a2\"]"])
            log.lines = []
            for movie in movies { movie.title = "\(movie.title)" }
            try context.save()
            #expect(log.lines == [])
            own.cancel()
        }
        observation.cancel()
    }

    @Test("R23: deletions come first, then insertions, then changes")
    func order() throws {
        try TestStore.cinema().run { context in
            let director = Director(context: context, name: "d")
            let movies = ["7", "8", "9", "10"].map { Movie(context: context, imdbID: $0, title: $0, director: director) }
            movies[2].duration = 100
            try context.save()
            var table: [String: Movie] = ["7": movies[0]]
            var (kinds, filtered): ([ManagedObjectChangeKind], [ManagedObjectChangeKind]) = ([], [])
            let observations = [
                context.observe(Movie.self) { changes in
                    kinds += changes.map(\.kind)
                    for change in changes {
                        switch change.kind {
                        case .deleted: table[change.old(\.imdbID) ?? ""] = nil
                        default: table[change.object.imdbID] = change.object
                        }
                    }
                },
                context.changes(of: Movie.self).where(#Predicate { $0.duration > 90 }).observe { filtered += $0.map(\.kind) },
            ]
            var all: [Movie] = []
            let listener = Listener(.NSManagedObjectContextObjectsDidChange, of: context) { all = $0.changedManagedObjects() }
            defer { listener.end() }
            movies[3].title = "other"
            let successor = Movie(context: context, imdbID: "7", title: "7", director: director)
            (movies[1].duration, movies[2].duration) = (91, 1)
            context.delete(movies[0])
            context.processPendingChanges()
            #expect(kinds == [.deleted, .inserted, .updated, .updated, .updated])
            #expect(filtered == [.left, .entered])
            #expect(table["7"] === successor)
            #expect(all.first === movies[0] && all.dropFirst().first === successor && all.count == 5)
            observations.forEach { $0.cancel() }
        }
    }

    // MARK: Objects that are there

    @Test("R97: what an observer gets of a merge is loaded, and what is gone by then is left out or told as deleted")
    func gone() throws {
        let folder = try TemporaryFolder()
        let pair = try Listening(at: folder.file("cinema.sqlite"))
        let directors = try pair.directors(["a", "b"])
        try pair.here { context in
            let request = NSFetchRequest<Director>(entityName: "Director")
            let live = try FetchedResults(request, in: context)
            pair.hold(
                context.changes(of: Director.self).kinds([.all, .refreshed]).observe { changes in
                    for change in changes {
                        #expect(!change.object.isFault)
                        pair.note("\(change.kind) \(change.object.name) \(change.old(\.name) ?? "–")")
                    }
                },
                live, live.observe { _ in pair.note("results \(live.map(\.name).sorted())") })
        }
        try pair.elsewhere { context in
            try names(context)[0].name = "a2"
            _ = Director(context: context, name: "new")
            _ = Director(context: context, name: "staying")
        }
        try pair.elsewhere { context in
            for director in try names(context) where ["a2", "new"].contains(director.name) { context.delete(director) }
        }
        let saved = pair.saved
        try pair.here { $0.mergeChanges(fromContextDidSave: saved[0]) }
        #expect(pair.take() == ["deleted a a", "inserted staying –", "results [\"b\", \"staying\"]"])
        try pair.here { context in
            #expect(directors[0].isDeleted && directors[0].name == "a")
            context.mergeChanges(fromContextDidSave: saved[1])
            try context.save()
        }
        #expect(pair.take() == [])
    }
}

/// Has a closure called for a notification of a context.
struct Listener {
    private let token: any NSObjectProtocol

    init(_ name: Notification.Name, of context: NSManagedObjectContext, _ body: @escaping (Notification) -> Void) {
        // The poster waits for its observers, so the closure runs on one thread at a time.
        nonisolated(unsafe) let body = body
        token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { body($0) }
    }

    func end() { NotificationCenter.default.removeObserver(token) }
}

/// Lines that observers write, on one queue at a time.
final class Log: @unchecked Sendable {
    var lines: [String] = []
    func note(_ line: String) { lines.append(line) }
}
