import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("Whose round it is")
struct RoundOriginTests {
    /// Notes each round, and makes a director of its own, and saves it, in the first one.
    private func observe(_ context: NSManagedObjectContext, _ log: Log, isSaving: Bool = true) -> ManagedObjectObservation {
        var isFirst = true
        return context.observe(Director.self) { changes in
            let names = changes.map { "\($0.kind) \($0.kind == .deleted ? $0.old(\.name) ?? "" : $0.object.name)" }
            log.note("\(changes.origin) \(changes.author ?? "–") \(names.sorted())")
            guard isFirst else { return }
            isFirst = false
            _ = Director(context: context, name: "own")
            if isSaving { #expect(throws: Never.self) { try context.save() } }
        }
    }

    @Test("R22: what a handler of a merged round makes and saves is local, by the context's own author")
    func merge() throws {
        let pair = try Listening()
        let log = Log()
        try pair.here { context in
            context.transactionAuthor = "here"
            pair.hold(observe(context, log))
        }
        try pair.elsewhere { context in
            context.transactionAuthor = "elsewhere"
            _ = Director(context: context, name: "new")
        }
        try pair.elsewhere { $0.transactionAuthor = nil }
        try pair.merge()
        #expect(log.lines == ["merge elsewhere [\"inserted new\"]", "local here [\"inserted own\"]"])
    }

    @Test("R22: so it is in a round of an undo, in which its deletions cascade, and where a child is saved")
    func undoAndChild() throws {
        try TestStore.cinema().run { context in
            context.transactionAuthor = "here"
            let director = try ChangedValueTests.film(context).director
            context.undoManager = UndoManager()
            let log = Log()
            director.name = "b"
            context.processPendingChanges()
            var observation = observe(context, log)
            let second = context.observe(Director.self) { changes in
                if changes.origin == .undo { director.movies.forEach(context.delete) }
                log.note("second \(changes.origin)")
            }
            context.undo()
            context.processPendingChanges()
            #expect(
                log.lines == [
                    "undo here [\"updated Akira Kurosawa\"]", "second undo",
                    "local here [\"inserted own\", \"updated Akira Kurosawa\"]", "second local",
                ])
            let (scenes, movies) = (try context.fetch(Scene.self), try context.fetch(Movie.self))
            #expect(scenes.count == 1 && movies.isEmpty)
            second.cancel()
            context.undoManager = nil
            log.lines = []
            observation = observe(context, log)
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            child.transactionAuthor = "child"
            try child.performAndWait {
                _ = Director(context: child, name: "of the child")
                try child.save()
            }
            #expect(log.lines == ["childSave child [\"inserted of the child\"]", "local here [\"inserted own\"]"])
            observation.cancel()
        }
    }

    @Test("R22: what was pending when a merge begins is told as the context's own")
    func pending() throws {
        let pair = try Listening()
        let log = Log()
        let directors = try pair.directors(["a", "b"])
        try pair.elsewhere { context in
            context.transactionAuthor = "elsewhere"
            try context.fetch(Director.self, where: \.name == "a")[0].name = "a2"
        }
        try pair.here { context in
            context.transactionAuthor = "here"
            pair.hold(observe(context, log, isSaving: false))
            directors[1].name = "b2"
        }
        #expect(log.lines == ["local here [\"updated b2\"]"])
        let saved = pair.saved
        try pair.here { context in
            directors[1].name = "b3"
            saved.forEach { context.mergeChanges(fromContextDidSave: $0) }
        }
        #expect(
            log.lines == [
                "local here [\"updated b2\"]", "local here [\"inserted own\", \"updated b3\"]",
                "merge elsewhere [\"updated a2\"]",
            ])
    }

    @Test("observers hear of rounds in their order, also where one of them goes on")
    func order() throws {
        try TestStore.cinema().run { context in
            var (first, second): ([String], [String]) = ([], [])
            let observations = [
                context.observe(Director.self) { changes in
                    first += changes.map { "\($0.kind) \($0.object.name)" }
                    guard first.count == 1 else { return }
                    changes.inserted.first?.name = "b"
                    #expect(throws: Never.self) { try context.save() }
                },
                context.observe(Director.self) { second += $0.map { "\($0.kind)" } },
                context.changes(of: Director.self).saved().observe { second += $0.map { "saved \($0.object.name)" } },
            ]
            _ = Director(context: context, name: "a")
            context.processPendingChanges()
            #expect(first == ["inserted a", "updated b"])
            #expect(second == ["inserted", "updated", "saved b"])
            observations.forEach { $0.cancel() }
        }
    }

    // MARK: Saving in handlers

    @Test("R43: save() in an observer of a save saves; before the write it throws, and nothing is lost")
    func savingInHandlers() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            var errors: [String] = []
            func save(_ place: String) {
                do { try context.save() } catch {
                    let error = error as NSError
                    errors.append(
                        "\(place) \(error.domain == NSCocoaErrorDomain) \(error.localizedDescription.contains("while"))")
                }
            }
            var log: [String] = []
            var isOver = false
            func add(_ name: String) { if !isOver { _ = Director(context: context, name: name) } }
            let names: [(Notification.Name, String)] = [
                (.NSManagedObjectContextObjectsDidChange, "change"), (.NSManagedObjectContextWillSave, "will"),
                (.NSManagedObjectContextDidSave, "did"), (.NSManagedObjectContextDidSaveObjectIDs, "ids"),
            ]
            let tokens = names.map { name, place in
                Listener(name, of: context) { _ in
                    guard !isOver else { return }
                    if place == "did" || place == "ids" {
                        isOver = true
                        _ = Director(context: context, name: place)
                        save(place)
                        isOver = place == "ids"
                    } else {
                        save(place)
                    }
                }
            }
            let observation = context.changes(of: Director.self).saved().observe {
                log.append("\($0.inserted.map(\.name).sorted())")
            }
            add("first")
            try context.save()
            #expect(Set(errors) == ["change true true", "will true true"])
            #expect(!context.hasChanges)
            #expect(log.contains("[\"first\"]") && log.contains("[\"did\"]") && log.contains("[\"ids\"]"))
            observation.cancel()
            tokens.forEach { $0.end() }
        }
        try store.fresh { context in
            let names = try context.fetch(Director.self).map(\.name)
            #expect(Set(names) == ["first", "did", "ids"])
        }
    }

    @Test("R43: an observer that saves at each save, with nothing to save, ends")
    func savingWithoutChanges() throws {
        try TestStore.cinema().run { context in
            var count = 0
            let listener = Listener(.NSManagedObjectContextDidSave, of: context) { _ in
                count += 1
                #expect(throws: Never.self) { try context.save() }
            }
            _ = Director(context: context, name: "a")
            try context.save()
            #expect(count == 1)
            listener.end()
        }
    }

    @Test("R43: an observer that changes and saves something at each save gets an error in the end")
    func endlessSaves() throws {
        try TestStore.cinema().run { context in
            var errors: [String] = []
            var count = 0
            let observation = context.changes(of: Director.self).saved().observe { changes in
                count += 1
                changes.first { _ in true }?.object.name = "\(count)"
                do { try context.save() } catch { errors.append(error.localizedDescription) }
            }
            _ = Director(context: context, name: "a")
            try context.save()
            #expect(errors.count == 1 && errors[0].contains("observer") && count < 1000)
            observation.cancel()
        }
    }

    @Test("R43: what changes the context endlessly while it saves is named: willSave(), or an observer")
    func endlessChanges() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            try TestStore.cinema().run { context in
                let director = Director(context: context, name: "a")
                let observation = context.observe(Director.self) { _ in director.name += "a" }
                try context.save()
                observation.cancel()
            }
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("observer") && !message.contains("willSave() of Director changes"))
    }

    // MARK: Moments

    @Test(
        "R26: a fetch in mid-block sees what is pending and tells nobody; the end of the block and a save do",
        arguments: [false, true])
    func fetching(_ isSaved: Bool) throws {
        let store = try TestStore.cinema()
        let log = Log()
        let observation = try store.run { context in
            let movie = try ChangedValueTests.film(context)
            withExtendedLifetime(movie) {}
            return context.observe(Director.self) { log.note("\($0.counts)") }
        }
        try store.run { context in
            let half = Director.makeInstance(in: context)
            let found = try context.fetch(Director.self)
            #expect(found.count == 2 && found.contains(half) && log.lines.isEmpty)
            half.name = "Ozu"
            let named = try context.fetch(Director.self, where: \.name == "Ozu")
            let counts = (
                try context.count(of: Director.self), try context.count(for: NSFetchRequest<Movie>(entityName: "Movie"))
            )
            #expect(named == [half] && counts == (2, 1))
            let old = try #require(found.first { $0 !== half })
            context.delete(old)
            // The deletion cascades, though nobody has heard of it.
            let (directors, movies) = (try context.fetch(Director.self), try context.fetch(Movie.self))
            #expect(directors == [half] && movies.isEmpty)
            let request = NSFetchRequest<NSDictionary>(entityName: "Director")
            request.resultType = .dictionaryResultType
            let rows = try context.fetch(request)
            #expect(rows.count == 1 && log.lines.isEmpty)
            if isSaved {
                try context.save()
                #expect(log.lines.count == 1)
            }
        }
        #expect(log.lines == ["(inserted: 1, updated: 0, deleted: 1)"])
        observation.cancel()
    }

    @Test("R26: a child's fetch does not make its parent tell of what is pending")
    func childFetch() throws {
        let store = try TestStore.cinema()
        try store.run { context in
            var rounds = 0
            let observation = context.observe(Director.self) { _ in rounds += 1 }
            _ = Director(context: context, name: "a")
            let child = NSManagedObjectContext(.privateQueue)
            child.parent = context
            let count = try child.performAndWait { try child.fetch(Director.self).count }
            #expect(count == 1 && rounds == 0)
            context.processPendingChanges()
            #expect(rounds == 1)
            observation.cancel()
        }
    }

    @MainActor
    @Test("R27: a main-queue context tells of changes at the end of the turn of the main queue, once")
    func mainQueue() async throws {
        let store = try TestStore.cinema()
        let context = store.container.viewContext
        var rounds: [String] = []
        let observation = context.observe(Director.self) { rounds.append("\($0.counts)") }
        func turn() async {
            await withCheckedContinuation { next in DispatchQueue.main.async { DispatchQueue.main.async { next.resume() } } }
        }
        let director = Director(context: context, name: "a")
        _ = Director(context: context, name: "b")
        director.name = "c"
        #expect(rounds == [])
        await turn()
        #expect(rounds == ["(inserted: 2, updated: 0, deleted: 0)"])
        director.name = "d"
        context.processPendingChanges()
        await turn()
        #expect(rounds.count == 2)
        context.delete(director)
        await turn()
        #expect(rounds.count == 3 && rounds.last == "(inserted: 0, updated: 0, deleted: 1)")
        await turn()
        #expect(rounds.count == 3)
        observation.cancel()
    }

    @MainActor
    @Test("R27: what an observer changes at the end of a turn is told at the end of the next one")
    func handlersOnTheMainQueue() async throws {
        let store = try TestStore.cinema()
        let context = store.container.viewContext
        var names: [String] = []
        let observation = context.observe(Director.self) { changes in
            for change in changes {
                names.append(change.object.name)
                if names.count < 3 { change.object.name += "a" }
            }
        }
        _ = Director(context: context, name: "a")
        for _ in 0..<6 {
            await withCheckedContinuation { next in DispatchQueue.main.async { next.resume() } }
        }
        #expect(names == ["a", "aa", "aaa"])
        observation.cancel()
    }
}
