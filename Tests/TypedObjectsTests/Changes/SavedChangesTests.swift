import Foundation
import OpenCoreData
import Synchronization
import TestSupport
import Testing

@Suite("Hearing of saves")
struct SavedChangesTests {
    @Test("after a save: all that it wrote at once, with the values of the save before")
    func afterSave() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            let other = try ChangedValueTests.film(context, "Ikiru")
            let gone = try ChangedValueTests.film(context, "Dodesukaden")
            let scene = movie.scenes[0]
            var rounds = 0
            let observation = context.changes(of: Movie.self).saved().observe { changes in
                rounds += 1
                #expect(changes.counts == (1, 1, 1) && !context.hasChanges)
                #expect(changes[movie]?.changedKeys == ["title", "scenes"])
                #expect(changes[movie]?.old(\.title) == "Ran" && changes[movie]?.new(\.title) == "乱")
                #expect(changes[movie]?.old(\.scenes) == [scene])
                #expect(changes[gone]?.old(\.title) == "Dodesukaden")
                #expect(changes.inserted.allSatisfy { !$0.objectID.isTemporaryID })
            }
            movie.title = "a"
            movie.scenes = []
            context.processPendingChanges()
            movie.title = "乱"
            other.title = "Ikiru"
            context.delete(gone)
            _ = Movie(context: context, imdbID: "1", title: "Yojimbo", director: movie.director)
            #expect(rounds == 0)
            try context.save()
            #expect(rounds == 1)
            movie.title = "乱"
            try context.save()
            #expect(rounds == 1)
            observation.cancel()
        }
    }

    @Test("a save that fails is not told, and a predicate and properties count for saves as well")
    func conditions() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var log: [String] = []
            let observations = [
                context.changes(of: Movie.self).where(#Predicate { $0.duration > 90 }).saved().observe {
                    log += $0.map { "\($0.kind)" }
                },
                context.changes(of: movie).changing(\.title).saved().observe { log.append("title \($0.old(\.title) ?? "")") },
            ]
            let unfinished = Movie.makeInstance(in: context)
            movie.duration = 100
            #expect(throws: (any Error).self) { try context.save() }
            #expect(log.isEmpty)
            context.delete(unfinished)
            try context.save()
            #expect(log == ["entered"])
            movie.title = "乱"
            try context.save()
            #expect(log == ["entered", "updated", "title Ran"])
            context.delete(movie)
            try context.save()
            #expect(log == ["entered", "updated", "title Ran", "deleted", "title 乱"])
            observations.forEach { $0.cancel() }
        }
    }

    @Test("R20: a save does not tell of deletions that others had saved before, merged or not", arguments: [false, true])
    func deletedByOthers(_ isMerged: Bool) throws {
        let pair = try Listening()
        let directors = try pair.directors(["a", "b", "c"])
        let observation = pair.store.container.changes(of: Director.self).observe { ids in
            pair.note("container \(ids.updated.count) \(ids.deleted.count)")
        }
        try pair.here { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            pair.hold(
                context.changes(of: Director.self).saved().observe { changes in
                    pair.note("context \(changes.updated.map(\.name)) \(changes.map { $0.old(\.name) ?? "–" }.sorted())")
                })
            if !isMerged { context.delete(directors[0]) }
        }
        try pair.elsewhere { context in
            context.delete(try #require(try context.fetch(Director.self, where: \.name == "a").first))
        }
        #expect(pair.take() == ["container 0 1"])
        if isMerged { try pair.merge() }
        try pair.here { context in
            context.delete(directors[1])
            directors[2].name = "c2"
            try context.save()
            #expect(directors[0].managedObjectContext == nil)
        }
        #expect(pair.take() == ["container 1 1", "context [\"c2\"] [\"b\", \"c\"]"])
        observation.cancel()
    }

    @Test(
        "R20: what others have given another owner is not told as lost by the former one when it is deleted",
        arguments: [false, true])
    func movedByOthers(_ isMerged: Bool) throws {
        let pair = try Listening()
        try pair.here { context in
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            let movie = try ChangedValueTests.film(context)
            _ = try ChangedValueTests.film(context, "Ikiru")
            #expect(movie.scenes.count == 1)
            pair.hold(
                context.changes(of: Movie.self).saved().observe { changes in
                    for change in changes { pair.note("\(change.object.title) \(change.changedKeys.sorted())") }
                })
            context.delete(movie.scenes[0])
            context.processPendingChanges()
            movie.title = "乱"
        }
        try pair.elsewhere { context in
            let movies = try context.fetch(Movie.self, sortedBy: [SortDescriptor(\.title)])
            movies[0].scenes += movies[1].scenes
        }
        if isMerged { try pair.merge() }
        try pair.here { try $0.save() }
        #expect(pair.take().filter { $0.hasPrefix("乱") } == ["乱 [\"title\"]"])
    }

    @Test("kept changes of a save know its values later")
    func kept() throws {
        try TestStore.cinema().run { context in
            let movie = try ChangedValueTests.film(context)
            var kept: ManagedObjectChanges<Movie>?
            let observation = context.changes(of: Movie.self).saved().observe { kept = $0 }
            movie.title = "a"
            try context.save()
            observation.cancel()
            movie.title = "b"
            try context.save()
            #expect(kept?[movie]?.old(\.title) == "Ran" && kept?[movie]?.new(\.title) == "a")
        }
    }

    @Test("B09: references of a save are permanent; one kept from before the save finds the object afterwards")
    func references() throws {
        let store = try TestStore.cinema()
        let (before, after) = try store.run { context in
            var (before, after): (Set<ManagedObjectID<Movie>>, Set<ManagedObjectID<Movie>>) = ([], [])
            let observations = [
                context.observe(Movie.self) { before.formUnion($0.ids.inserted) },
                context.changes(of: Movie.self).saved().observe { after.formUnion($0.ids.inserted) },
            ]
            let movie = try ChangedValueTests.film(context)
            let kept = try #require(before.first)
            #expect(try context[kept] === movie)
            observations.forEach { $0.cancel() }
            return (before, after)
        }
        #expect(after.allSatisfy { !$0.objectID.isTemporaryID })
        try store.fresh { context in
            let (found, same) = (try after.objects(in: context), try before.objects(in: context))
            #expect(found.map(\.title) == ["Ran"] && found == same)
        }
    }

    @Test("references lead to the objects of another context, in their order, without those that are gone")
    func resolving() throws {
        let store = try TestStore.cinema()
        let ids = try store.run { context in
            let ids = try ["a", "b", "c"].map { try ChangedValueTests.film(context, $0) }.map(\.typedID)
            context.delete(try context[ids[1]])
            try context.save()
            return ids
        }
        let titles = try store.fresh { context in try ids.objects(in: context).map(\.title) }
        #expect(titles == ["a", "c"])
        // A sequence that can be gone through once.
        let once = try store.fresh { context in try AnyIterator(ids.makeIterator()).objects(in: context).map(\.title) }
        #expect(once == ["a", "c"])
    }

    @Test("a coordinator tells of the saves of all its contexts, and of other coordinators on the same store")
    func acrossCoordinators() throws {
        let folder = try TemporaryFolder()
        let here = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        let elsewhere = try TestStore.cinema(at: folder.file("cinema.sqlite"))
        let stranger = try TestStore.cinema(at: folder.file("other.sqlite"))
        let log = Mutex<[ManagedObjectChangeIDs<Movie>]>([])
        let observation = here.container.changes(of: Movie.self).observe { changes in log.withLock { $0.append(changes) } }
        func take() -> [ManagedObjectChangeIDs<Movie>] {
            log.withLock { log in
                defer { log = [] }
                return log
            }
        }
        func check(_ ids: Set<ManagedObjectID<Movie>>, _ titles: Set<String>) throws {
            let found = try here.fresh { context in Set(try ids.objects(in: context).map(\.title)) }
            #expect(found == titles)
        }
        try stranger.run { context in _ = try ChangedValueTests.film(context) }
        #expect(take().isEmpty)
        try elsewhere.run { context in
            context.transactionAuthor = "elsewhere"
            _ = try ChangedValueTests.film(context)
        }
        var saves = take()
        try #require(saves.count == 1)
        #expect(saves[0].origin == .merge && saves[0].author == "elsewhere")
        try check(saves[0].inserted, ["Ran"])
        try here.fresh { context in
            let movie = try #require(try context.fetch(Movie.self).first)
            movie.title = "乱"
            movie.scenes.first?.text = "other"
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            try child.save()
            try context.save()
        }
        saves = take()
        try #require(saves.count == 1)
        #expect(saves[0].origin == .local && saves[0].author == nil && saves[0].inserted.isEmpty)
        try check(saves[0].updated, ["乱"])
        try elsewhere.fresh { context in
            try context.fetch(Movie.self).forEach(context.delete)
            try context.save()
        }
        saves = take()
        #expect(saves.map(\.deleted.count) == [1])
        observation.cancel()
        try elsewhere.run { context in _ = try ChangedValueTests.film(context, "Ikiru") }
        #expect(take().isEmpty)
    }

    @Test("saves as a sequence", .timeLimit(.minutes(5)))
    func sequence() async throws {
        let store = try TestStore.cinema()
        let saves = store.container.changes(of: Movie.self).inserted().stream()
        try store.run { context in
            let movie = try ChangedValueTests.film(context)
            movie.title = "乱"
            try context.save()
            _ = try ChangedValueTests.film(context, "Ikiru")
        }
        var iterator = saves.makeAsyncIterator()
        let first = try #require(await iterator.next())
        let second = try #require(await iterator.next())
        let titles = try await store.context.perform {
            try [first, second].map { try $0.inserted.objects(in: store.context).map(\.title) }
        }
        #expect(titles == [["乱"], ["Ikiru"]])
    }
}
