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
                context.changes(of: Movie.self).deleted().observe { changes in
                    titles += changes.map { $0.old(\.title) }
                    #expect(changes.allSatisfy { $0.old(\.userRating) == 7 && $0.new(\.title) == nil && $0.changedKeys.isEmpty })
                },
                context.changes(of: Scene.self).kinds([.deleted, .updated]).observe { kept = $0 },
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

    @Test("changes that outlive their context tell no values any more, and what was taken out of them has no context")
    func withoutContext() throws {
        let store = try TestStore.cinema()
        // One thread at a time.
        nonisolated(unsafe) var before: Movie?
        func makeChanges() throws -> ManagedObjectChanges<Movie> {
            let context = store.container.newBackgroundContext()
            nonisolated(unsafe) var kept: ManagedObjectChanges<Movie>?
            try context.performAndWait {
                let movie = try Self.film(context)
                let observation = context.observe(Movie.self) {
                    kept = $0
                    before = $0[movie]?.old(\.self)
                }
                movie.title = "乱"
                context.processPendingChanges()
                #expect(kept?[movie]?.old(\.title) == "Ran" && kept?[movie]?.old(\.scenes).map(\.count) == 1)
                #expect(before?.managedObjectContext === context)
                observation.cancel()
            }
            return try #require(kept)
        }
        let changes = try makeChanges()
        #expect(changes.count(.updated) == 1)
        for change in changes {
            #expect(
                change.old(\.title) == nil && change.new(\.title) == nil && change.changedKeys.isEmpty && change.kind == .updated)
        }
        #expect(before?.title == "Ran" && before?.managedObjectContext == nil)
    }

    @Test("what an observer does while it is being told is nothing to the others: a save, a change, a rollback", arguments: 0..<3)
    func handlersThatGoOn(_ kind: Int) throws {
        try TestStore.cinema().run { context in
            let movie = try Self.film(context)
            let scene = movie.scenes[0]
            var log: [String] = []
            let observations = [
                context.observe(Movie.self) { _ in
                    guard log.isEmpty else { return }
                    log.append("first")
                    switch kind {
                    case 0: #expect(throws: Never.self) { try context.save() }
                    case 1: (movie.title, movie.duration, movie.scenes) = ("c", 9, [scene])
                    default: context.rollback()
                    }
                },
                context.changes(of: Movie.self).updated().changing(\.title, \.scenes).observe { changes in
                    log += changes.map { "\($0.changedKeys.sorted()) \($0.old(\.title) ?? "–") \($0.old(\.scenes)?.count ?? -1)" }
                },
                context.changes(of: Movie.self).where(#Predicate { $0.title == "Ran" }).observe {
                    log += $0.map { "\($0.kind)" }
                },
            ]
            defer { observations.forEach { $0.cancel() } }
            movie.title = "b"
            movie.scenes = []
            context.processPendingChanges()
            #expect(log.prefix(3).contains("first") && log.contains("[\"scenes\", \"title\"] Ran 1"))
            #expect(log.contains(kind == 2 ? "entered" : "left"))
            #expect(kind == 2 || log.count == 3)
        }
    }

    @Test("members that a merge, a refresh or a rollback changes count, too")
    func replacedMembers() throws {
        let store = try TestStore.cinema()
        let (movie, id) = try store.run { context in
            let movie = try Self.film(context)
            context.automaticallyMergesChangesFromParent = true
            _ = movie.scenes.count
            return (movie, movie.typedID)
        }
        // One thread at a time.
        nonisolated(unsafe) var log: [Int?] = []
        let observation = try store.run { context in
            context.observe(Movie.self, changing: \.scenes) { log += $0.map { $0.old(\.scenes)?.count } }
        }
        try store.fresh { context in
            try context[id].scenes.append(Scene(context: context, text: "second"))
            try context.save()
        }
        try store.run { context in
            #expect(movie.scenes.count == 2 && log == [1])
            movie.scenes.append(Scene(context: context, text: "third"))
            context.processPendingChanges()
            #expect(log == [1, 2])
            context.rollback()
            #expect(log == [1, 2, 3])
            movie.duration = 5
            context.processPendingChanges()
            context.rollback()
            #expect(log == [1, 2, 3] && movie.duration == 0)
        }
        observation.cancel()
    }

    @Test("a change that was not told of yet is, when a merge or a refresh takes the object's values", arguments: [false, true])
    func pendingChangeAndMerge(_ isMerge: Bool) throws {
        let store = try TestStore.cinema()
        let (movie, id) = try store.run { context in
            let movie = try Self.film(context)
            return (movie, movie.typedID)
        }
        let changes = try store.fresh { context in
            let movie = try context[id]
            movie.userRating = 3
            try context.save()
            return [NSUpdatedObjectsKey: [movie.objectID]]
        }
        try store.run { context in
            var log: [String] = []
            let observation = context.observe(Movie.self, changing: \.title) {
                log += $0.map { "\($0.old(\.title) ?? "") → \($0.object.title)" }
            }
            movie.title = "乱"
            if isMerge {
                NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
            } else {
                context.refresh(movie, mergeChanges: true)
                context.processPendingChanges()
            }
            #expect(log == ["Ran → 乱"] && movie.userRating == 3)
            observation.cancel()
        }
    }

    @Test("an object that a merge changes is told of although nobody had read it, and then everything counts as changed")
    func mergedUnread() throws {
        let store = try TestStore.cinema()
        let id = try store.run { try Self.film($0).typedID }
        let (movie, observations, log) = try store.run { context in
            context.automaticallyMergesChangesFromParent = true
            context.refreshAllObjects()
            context.processPendingChanges()
            let movie = try #require(context.object(with: id.objectID) as? Movie)
            let log = Log()
            let observations = [
                context.observe(Movie.self) {
                    log.lines += $0.map { "\($0.kind) \($0.changedKeys.count) \($0.old(\.title) ?? "–")" }
                },
                context.changes(of: Movie.self).where(\.duration > 90).observe { log.lines += $0.map { "\($0.kind) long" } },
                context.changes(of: Movie.self).kinds(.refreshed).observe { log.lines += $0.map { "\($0.kind) only" } },
            ]
            #expect(movie.isFault)
            return (movie, observations, log)
        }
        try store.fresh { context in
            try context[id].duration = 100
            try context.save()
        }
        try store.run { _ in
            #expect(log.lines == ["updated 8 –", "updated long", "refreshed only"] && movie.duration == 100)
        }
        observations.forEach { $0.cancel() }
    }

    /// Lines that observers write, on one queue.
    private final class Log: @unchecked Sendable {
        var lines: [String] = []
    }

    @Test("a merged new object has no past, whoever has read it")
    func mergedInsertions() throws {
        let store = try TestStore.cinema()
        let log = Log()
        let observation = try store.run { context in
            context.automaticallyMergesChangesFromParent = true
            return context.observe(Movie.self) { changes in
                for change in changes {
                    log.lines.append("\(change.new(\.title) ?? "–") \(change.old(\.title) ?? "–") \(change.changedKeys.count)")
                }
            }
        }
        _ = try store.fresh { try Self.film($0) }
        try store.run { _ in #expect(log.lines == ["Ran – 8"]) }
        observation.cancel()
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
        #expect(message.contains("can't be changed while its earlier values are read"))
    }
}

extension Movie {
    fileprivate var shout: String { title.uppercased() }
}
