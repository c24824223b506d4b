import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("What changed, and what it was before")
struct ChangedValueTests {
    /// A saved film, and one scene of it.
    static func film(_ context: NSManagedObjectContext, _ title: String = "Ran") throws -> Movie {
        let movie = Movie(
            context: context, imdbID: title, title: title, director: Director(context: context, name: "Akira Kurosawa"))
        movie.scenes = [Scene(context: context, text: "first")]
        try context.save()
        return movie
    }

    @Test("an update tells the changed properties, with their values before and after")
    func attributes() throws {
        try TestStore.cinema().run { context in
            let movie = try Self.film(context)
            var rounds = 0
            let observation = context.observe(Movie.self) { changes in
                rounds += 1
                guard let change = changes[movie] else { return }
                #expect(change.kind == .updated && change.object === movie)
                #expect(change.changedKeys == ["title", "userRating", "length"])
                #expect(change.changedKeyPaths == [\.title, \.userRating, \.duration])
                #expect(changes.changedKeys(of: movie) == change.changedKeys)
                #expect(change.hasChanged(\.duration) && !change.hasChanged(\.genre))
                #expect(change.old(\.title) == "Ran" && change.new(\.title) == "乱")
                #expect(change.old(\.userRating) == nil && change.new(\.userRating) == 9)
                #expect(change.old(\.duration) == 0 && change.new(\.duration) == 162)
                #expect(change.old(\.genre) == .drama && change.new(\.genre) == .drama)
                #expect(change.old(\.imdbID) == "Ran")
            }
            (movie.title, movie.userRating, movie.duration) = ("乱", 9, 162)
            movie.genre = .drama
            context.processPendingChanges()
            #expect(rounds == 1)
            observation.cancel()
        }
    }

    @Test("the values before are those of the last round, not of the last save")
    func severalRounds() throws {
        try TestStore.cinema().run { context in
            let movie = try Self.film(context)
            var old: [String?] = []
            let observation = context.observe(Movie.self) { old.append($0[movie]?.old(\.title)) }
            for title in ["a", "b", "c"] {
                movie.title = title
                context.processPendingChanges()
            }
            #expect(old == ["Ran", "a", "b"])
            observation.cancel()
        }
    }

    @Test("relationships: the old destination and the old members")
    func relationships() throws {
        try TestStore.cinema().run { context in
            let movie = try Self.film(context)
            let kurosawa = movie.director
            let (first, second) = (movie.scenes[0], Scene(context: context, text: "second"))
            let ozu = Director(context: context, name: "Yasujirō Ozu")
            try context.save()
            var rounds = 0
            let observations = [
                context.observe(Movie.self) { changes in
                    rounds += 1
                    guard let change = changes[movie] else { return }
                    #expect(change.changedKeys == ["director", "scenes"])
                    #expect(change.old(\.director) === kurosawa && change.new(\.director) === ozu)
                    #expect(change.old(\.director.name) == "Akira Kurosawa")
                    #expect(change.old(\.scenes) == [first] && change.new(\.scenes) == [second, first])
                },
                context.observe(Director.self) { changes in
                    rounds += 1
                    #expect(changes[kurosawa]?.old(\.movies) == [movie] && changes[kurosawa]?.new(\.movies) == [])
                    #expect(changes[ozu]?.old(\.movies) == [] && changes[ozu]?.changedKeys == ["movies"])
                },
            ]
            movie.director = ozu
            movie.scenes = [second, first]
            context.processPendingChanges()
            #expect(rounds == 2)
            // With unsaved changes the members are found another way.
            observations[0].cancel()
            observations[1].cancel()
            let third = Scene(context: context, text: "third")
            context.processPendingChanges()
            let last = context.observe(Movie.self) { changes in
                rounds += 1
                #expect(changes[movie]?.old(\.scenes) == [second, first] && changes[movie]?.new(\.scenes) == [second, third])
            }
            movie.scenes = [second, third]
            context.processPendingChanges()
            #expect(rounds == 3)
            last.cancel()
        }
    }

    @Test("a new object has no values before, and the properties that were set count as changed")
    func inserted() throws {
        try TestStore.cinema().run { context in
            var kinds: [ManagedObjectChangeKind] = []
            let observation = context.observe(Movie.self) { changes in
                for change in changes {
                    kinds.append(change.kind)
                    #expect(change.old(\.title) == nil && change.new(\.title) == "Ran" && change.old(\.userRating) == nil)
                    #expect(
                        change.changedKeys.isSuperset(of: ["title", "imdbID", "director"]) && !change.hasChanged(\.userRating))
                }
            }
            _ = try Self.film(context)
            #expect(kinds == [.inserted])
            observation.cancel()
        }
    }

    @Test("B11: deleted objects tell their last values, without a look into the store, also after the save")
    func deleted() throws {
        let store = try TestStore.cinema()
        try store.run { context in _ = try Self.film(context) }
        try store.run { context in
            context.reset()
            let movie = try #require(try context.fetch(Movie.self).first)
            movie.userRating = 7
            try context.save()
            var kept: ManagedObjectChanges<Scene>?
            var titles: [String?] = []
            let observations = [
                context.observe(Movie.self, .deleted) { changes in
                    titles += changes.map { $0.old(\.title) }
                    #expect(changes.allSatisfy { $0.old(\.userRating) == 7 && $0.new(\.title) == nil && $0.changedKeys.isEmpty })
                },
                context.observe(Scene.self, [.deleted, .updated]) { kept = $0 },
            ]
            movie.scenes.forEach(context.delete)
            context.delete(movie)
            context.processPendingChanges()
            #expect(titles == ["Ran"])
            try context.save()
            let changes = try #require(kept)
            #expect(changes.count(.deleted) == 1)
            #expect(changes.map { $0.old(\.text) } == ["first"])
            observations.forEach { $0.cancel() }
        }
    }

    @Test("changes that are kept go on knowing the values before and after their round")
    func kept() throws {
        try TestStore.cinema().run { context in
            let movie = try Self.film(context)
            let scene = movie.scenes[0]
            var kept: [ManagedObjectChanges<Movie>] = []
            let observation = context.observe(Movie.self) { kept.append($0) }
            movie.title = "a"
            context.processPendingChanges()
            movie.title = "b"
            movie.scenes = []
            context.processPendingChanges()
            observation.cancel()
            movie.title = "c"
            try context.save()
            movie.title = "d"
            #expect(kept.map { $0[movie]?.old(\.title) } == ["Ran", "a"])
            #expect(kept.map { $0[movie]?.new(\.title) } == ["a", "b"])
            #expect(kept[1][movie]?.old(\.scenes) == [scene] && kept[1][movie]?.new(\.scenes) == [])
            #expect(kept.map { $0.changedKeys(of: movie) } == [["title"], ["title", "scenes"]])
            #expect(movie.title == "d")
        }
    }

    @Test("changes that outlive their context tell values, and no related objects any more")
    func withoutContext() throws {
        let store = try TestStore.cinema()
        func makeChanges() throws -> ManagedObjectChanges<Movie> {
            let context = store.container.newBackgroundContext()
            // One thread at a time.
            nonisolated(unsafe) var kept: ManagedObjectChanges<Movie>?
            try context.performAndWait {
                let movie = try Self.film(context)
                let observation = context.observe(Movie.self) { kept = $0 }
                movie.title = "乱"
                context.processPendingChanges()
                #expect(kept?[movie]?.old(\.title) == "Ran" && kept?[movie]?.old(\.scenes).map(\.count) == 1)
                observation.cancel()
            }
            return try #require(kept)
        }
        let changes = try makeChanges()
        for change in changes {
            #expect(change.old(\.title) == "Ran" && change.old(\.director) == nil && change.kind == .updated)
        }
        #expect(changes.count(.updated) == 1)
    }

    @Test("a required property that had no value reads nil, and computed properties are computed of the old values")
    func missingValues() throws {
        try TestStore.cinema().run { context in
            let movie = Movie.makeInstance(in: context)
            context.processPendingChanges()
            var rounds = 0
            let observation = context.observe(movie) { change in
                rounds += 1
                #expect(change.old(\.title) == nil && change.new(\.title) == "Ran")
                #expect(change.old(\.director) == nil && change.new(\.director) == nil)
                #expect(change.new(\.shout) == "RAN")
            }
            movie.title = "Ran"
            context.processPendingChanges()
            #expect(rounds == 1)
            observation.cancel()
        }
    }

    @Test("a merge tells what loaded objects were before; of others everything counts as changed")
    func merged() throws {
        let store = try TestStore.cinema()
        let id = try store.run { context in
            let movie = try Self.film(context)
            context.automaticallyMergesChangesFromParent = true
            return movie.typedID
        }
        func changeElsewhere(_ rating: Double) throws {
            try store.fresh { context in
                context.transactionAuthor = "importer"
                try context[id].userRating = rating
                try context.save()
            }
            try store.run { _ in }
        }
        let (movie, observation) = try store.run { context in
            let movie = try context[id]
            _ = movie.title
            let observation = context.observe(movie) { change in
                #expect(change.origin == .merge && change.author == "importer" && change.kind == .updated)
                if change.new(\.userRating) == 5 {
                    #expect(
                        change.changedKeys == ["userRating"] && change.old(\.userRating) == nil && change.old(\.title) == "Ran")
                }
            }
            return (movie, observation)
        }
        try changeElsewhere(5)
        try store.run { context in #expect(movie.userRating == 5) }
        observation.cancel()
    }

    @Test("undo and rollback tell the values that were given up")
    func takenBack() throws {
        try TestStore.cinema().run { context in
            let movie = try Self.film(context)
            context.undoManager = UndoManager()
            movie.title = "乱"
            context.processPendingChanges()
            var log: [String?] = []
            let observation = context.observe(movie) { change in
                log += [change.old(\.title), change.new(\.title)]
                #expect(change.origin == .undo && change.changedKeys == ["title"])
            }
            context.undo()
            #expect(log == ["乱", "Ran"])
            context.redo()
            context.rollback()
            #expect(log == ["乱", "Ran", "Ran", "乱", "乱", "Ran"])
            observation.cancel()
        }
    }

    @Test("the author is that of the context, of the child that was saved, or of the context whose save is merged")
    func authors() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            context.transactionAuthor = "parent"
            var log: [String] = []
            let observation = context.observe(Movie.self) { log.append("\($0.origin) \($0.author ?? "–")") }
            let movie = try Self.film(context)
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            child.transactionAuthor = "child"
            let id = movie.typedID
            try child.performAndWait {
                try child[id].title = "乱"
                try child.save()
            }
            #expect(log == ["local parent", "childSave child"])
            observation.cancel()
        }
    }

    @Test("changing an earlier state stops the program, with a reason")
    func readOnly() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStore.cinema().run { context in
                let movie = try Self.film(context)
                let observation = context.observe(movie) { change in change.old(\.self)?.title = "other" }
                movie.title = "乱"
                context.processPendingChanges()
                observation.cancel()
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("was to be changed while its earlier values were read"))
    }
}

extension Movie {
    fileprivate var shout: String { title.uppercased() }
}
