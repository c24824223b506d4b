import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("What is told of objects that were never saved, and of those that go")
struct PassingObjectsTests {
    private func director(_ context: NSManagedObjectContext) throws -> Director {
        let director = Director(context: context, name: "Akira Kurosawa")
        try context.save()
        return director
    }

    // MARK: Never saved

    @Test("R20: an object that was never saved tells its former members and destinations, also after it is saved")
    func neverSaved() throws {
        try TestStore.cinema().run { context in
            let (first, second) = (Director(context: context, name: "first"), Director(context: context, name: "second"))
            let movie = Movie(context: context, imdbID: "1", title: "a", director: first)
            let scene = Scene(context: context, text: "scene")
            movie.scenes = [scene]
            context.processPendingChanges()
            var kept: [ManagedObjectChange<Movie>] = []
            let observation = context.observe(Movie.self) { kept += $0 }
            movie.title = "b"
            context.processPendingChanges()
            movie.director = second
            context.processPendingChanges()
            func check() {
                #expect(kept.map(\.changedKeys) == [["title"], ["director"]])
                #expect(kept.map { $0.old(\.scenes) } == [[scene], [scene]])
                #expect(kept.map { $0.old(\.director) } == [first, first])
                #expect(kept.map { $0.new(\.director) } == [first, second])
            }
            observation.cancel()
            check()
            try context.save()
            check()
        }
    }

    @Test("R20: the old destination of a relationship is known also if it was never saved and is gone", arguments: [false, true])
    func goneDestination(_ isRollback: Bool) throws {
        try TestStore.cinema().run { context in
            let scene = Scene(context: context, text: "scene")
            let director = try director(context)
            let movie = Movie(context: context, imdbID: "1", title: "a", director: director)
            scene.movie = movie
            context.processPendingChanges()
            var log: [String] = []
            let observation = context.observe(Scene.self) { changes in
                for change in changes {
                    log.append("\(change.kind) \(change.changedKeys) \(change.object.movie == nil)")
                    #expect(change.old(\.movie) === movie)
                }
            }
            if isRollback {
                context.rollback()
            } else {
                context.delete(movie)
                context.processPendingChanges()
            }
            #expect(log == ["updated [\"movie\"] true"])
            observation.cancel()
        }
    }

    // MARK: Last values

    @Test("R20: what was set in the round in which an object was deleted was never told", arguments: [false, true])
    func lastTold(_ isChangedBefore: Bool) throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            if isChangedBefore {
                movie.title = "told"
                context.processPendingChanges()
            }
            let last = movie.title
            var log: [String] = []
            let observations = [
                context.observe(Movie.self) { log += $0.map { "\($0.kind) \($0.old(\.title) ?? "–")" } },
                context.changes(of: Movie.self).where(#Predicate { $0.title == last }).observe { log += $0.map { "\($0.kind)" } },
                context.changes(of: Movie.self).where(#Predicate { $0.title == "never" }).observe {
                    log += $0.map { "never \($0.kind)" }
                },
            ]
            movie.title = "never"
            context.delete(movie)
            context.processPendingChanges()
            #expect(log == ["deleted \(last)", "deleted"])
            observations.forEach { $0.cancel() }
        }
    }

    @Test("R20: a new object that is rolled back tells what was told of it last")
    func rolledBack() throws {
        try TestStore.cinema().run { context in
            let director = try director(context)
            let movies = ["1", "2"].map { Movie(context: context, imdbID: $0, title: "told", director: director) }
            context.processPendingChanges()
            var log: [String] = []
            let observation = context.observe(Movie.self) { log += $0.map { "\($0.kind) \($0.old(\.title) ?? "–")" } }
            movies[0].title = "never"
            // Nobody has heard of this one.
            _ = Movie(context: context, imdbID: "3", title: "unknown", director: director)
            // Everybody has heard of this one, and nobody that it is deleted.
            context.delete(movies[1])
            context.rollback()
            #expect(log == ["deleted told", "deleted told"])
            observation.cancel()
        }
    }

    @Test("R20: changes that a merged deletion ends were told, and are the last values")
    func endedByMerge() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a"])
        try pair.here { context in
            directors[0].name = "told"
            context.processPendingChanges()
            pair.hold(
                context.observe(Director.self) { for change in $0 { pair.note("\(change.kind) \(change.old(\.name) ?? "–")") } })
        }
        try pair.elsewhere { context in try context.fetch(Director.self).forEach(context.delete) }
        try pair.merge()
        #expect(pair.take() == ["deleted told"])
    }

    @Test("R20: a merged object that a delete rule deletes at once is told to nobody")
    func deletedAtOnce() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a"])
        try pair.here { context in
            context.delete(directors[0])
            context.processPendingChanges()
            pair.hold(context.observe(Movie.self) { for change in $0 { pair.note("\(change.kind)") } })
        }
        try pair.elsewhere { context in
            _ = Movie(
                context: context, imdbID: "new", title: "new", director: try #require(try context.fetch(Director.self).first))
        }
        let saved = pair.saved
        try pair.merge()
        #expect(pair.take() == [])
        try pair.here { context in saved.forEach { context.mergeChanges(fromContextDidSave: $0) } }
        #expect(pair.take() == [])
        try pair.here { context in
            try context.save()
            #expect(try context.count(for: NSFetchRequest<Movie>(entityName: "Movie")) == 0)
        }
    }

    @Test("R20: an object that was changed and deleted here, and whose row others deleted, does not come back by a rollback")
    func deletedTwice() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a"])
        try pair.here { context in
            directors[0].name = "b"
            context.processPendingChanges()
            context.delete(directors[0])
            context.processPendingChanges()
            pair.hold(context.observe(Director.self) { for change in $0 { pair.note("\(change.kind)") } })
        }
        try pair.elsewhere { context in try context.fetch(Director.self).forEach(context.delete) }
        try pair.merge()
        try pair.here { context in
            context.rollback()
            let count = try context.count(for: NSFetchRequest<Director>(entityName: "Director"))
            #expect(count == 0)
            #expect(!context.hasChanges)
        }
        #expect(pair.take() == [])
    }

    @Test("R20: an undone insertion leaves the owner that others have given the object since")
    func undoneInsertion() throws {
        let pair = try Listening()
        let directors = try pair.directors(["a", "b"])
        try pair.here { context in
            context.undoManager = UndoManager()
            _ = Movie(context: context, imdbID: "new", title: "new", director: directors[0])
            try context.save()
        }
        try pair.elsewhere { context in
            let movie = try #require(try context.fetch(Movie.self, where: \.title == "new").first)
            movie.director = try #require(try context.fetch(Director.self, where: \.name == "b").first)
        }
        try pair.merge()
        try pair.here { context in
            #expect(directors.map(\.movies.count) == [1, 2])
            pair.hold(
                context.observe(Director.self) { for change in $0 { pair.note("\(change.object.name) \(change.changedKeys)") } },
                context.changes(of: Director.self).saved().observe {
                    for change in $0 { pair.note("saved \(change.object.name) \(change.changedKeys)") }
                })
            context.undo()
            #expect(directors.map(\.movies.count) == [1, 1])
            try context.save()
        }
        #expect(pair.take() == ["b [\"movies\"]", "saved b [\"movies\"]"])
    }

    // MARK: Reset

    @Test("a handler that resets the context still gets the values of its round")
    func reset() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var log: [String] = []
            func note(_ change: ManagedObjectChange<Movie>) {
                log.append(
                    "\(change.kind) \(change.old(\.title) ?? "–") \(change.new(\.title) ?? "–") \(change.new(\.duration) ?? -1)")
            }
            var kept: ManagedObjectChanges<Movie>?
            let observations = [
                context.observe(Movie.self) { changes in
                    context.reset()
                    changes.forEach(note)
                    kept = changes
                }
            ]
            _ = Movie(context: context, imdbID: "1", title: "Ikiru", director: movie.director)
            movie.title = "乱"
            context.processPendingChanges()
            let expected = ["inserted – Ikiru 0", "updated Ran 乱 0"]
            #expect(log == expected)
            log = []
            kept?.forEach(note)
            #expect(log == expected)
            observations.forEach { $0.cancel() }
            // What the reset gave up has no values any more, and asking for them stops nothing.
            let movies = try context.fetch(Movie.self)
            let resetting = context.changes(of: Movie.self).kinds(.invalidated).observe { changes in
                for change in changes { #expect(change.old(\.title) == nil && change.new(\.title) == nil) }
                log.append("\(changes.count(.invalidated))")
            }
            log = []
            context.reset()
            #expect(log == ["\(movies.count)"])
            resetting.cancel()
        }
    }
}
