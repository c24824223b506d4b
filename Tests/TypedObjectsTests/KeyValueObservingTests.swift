import Foundation
import OpenCoreData
import Testing

final class ObservedNote: NSManagedObject {
    @Managed var text: String?
    @Managed private var cd_size: NSNumber?
    var size: Int? {
        get { cd_size?.intValue }
        set { cd_size = newValue.map { NSNumber(value: $0) } }
    }
}

@Suite("observe(_:options:changeHandler:)")
struct KeyValueObservingTests {
    private final class Log {
        var lines: [String] = []
    }

    private func movie(_ context: NSManagedObjectContext, _ title: String = "Ran") -> Movie {
        Movie(context: context, imdbID: title, title: title, director: Director(context: context, name: "Kurosawa"))
    }

    @Test("a setter calls the handler when it is done, with what was asked for, and setting the same value counts")
    func setter() throws {
        try TestStore.cinema().run { context in
            let movie = movie(context)
            let log = Log()
            let observation = movie.observe(\.title, options: [.old, .new]) { movie, change in
                #expect(change.kind == .setting && !change.isPrior && change.indexes == nil)
                log.lines.append("\(change.oldValue ?? "-") \(change.newValue ?? "-") \(movie.title)")
            }
            let bare = movie.observe(\.title) { _, change in
                #expect(change.oldValue == nil && change.newValue == nil)
                log.lines.append("bare")
            }
            movie.title = "Kagemusha"
            #expect(log.lines.sorted() == ["Ran Kagemusha Kagemusha", "bare"])
            bare.invalidate()
            log.lines = []
            movie.title = "Kagemusha"
            movie.duration = 3
            movie.setValue("Ikiru", forKey: "title")
            movie.willChangeValue(forKey: "title")
            movie.setPrimitiveValue("Yojimbo", forKey: "title")
            movie.didChangeValue(forKey: "title")
            #expect(log.lines == ["Kagemusha Kagemusha Kagemusha", "Kagemusha Ikiru Ikiru", "Ikiru Yojimbo Yojimbo"])
            observation.invalidate()
            observation.invalidate()
            movie.title = "Ran"
            #expect(log.lines.count == 3)
        }
    }

    @Test("the initial call comes at once, the prior one before the change")
    func initialAndPrior() throws {
        try TestStore.cinema().run { context in
            let movie = movie(context)
            let log = Log()
            let observation = movie.observe(\.userRating, options: [.initial, .prior, .old, .new]) { movie, change in
                log.lines.append(
                    "\(change.isPrior) \(change.oldValue.debugDescription) \(change.newValue.debugDescription) \(movie.userRating ?? -1)"
                )
            }
            #expect(log.lines == ["false nil Optional(nil) -1.0"])
            movie.userRating = 8
            movie.userRating = nil
            #expect(
                log.lines.dropFirst() == [
                    "true Optional(nil) nil -1.0", "false Optional(nil) Optional(Optional(8.0)) 8.0",
                    "true Optional(Optional(8.0)) nil 8.0", "false Optional(Optional(8.0)) Optional(nil) -1.0",
                ])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("letting go of the observation ends it; it does not keep the object")
    func lifetime() throws {
        try TestStore.cinema().run { context in
            let movie = movie(context)
            let log = Log()
            var observation: NSKeyValueObservation? = movie.observe(\.title) { _, _ in log.lines.append("told") }
            movie.title = "a"
            _ = observation
            observation = nil
            movie.title = "b"
            #expect(log.lines == ["told"])
            var scene: Scene? = Scene(context: context)
            weak let weakScene = scene
            let kept = scene?.observe(\.text) { _, _ in log.lines.append("told") }
            scene?.text = "x"
            context.reset()
            scene = nil
            #expect(weakScene == nil && log.lines.count == 2)
            kept?.invalidate()
        }
    }

    @Test("relationships: the side that is set and its inverse are each told once, when both are done")
    func relationships() throws {
        try TestStore.cinema().run { context in
            let movie = movie(context)
            let first = movie.director
            let second = Director(context: context, name: "Ozu")
            let log = Log()
            let observations = [
                movie.observe(\.director, options: [.old, .new]) { movie, change in
                    #expect(second.movies.contains(movie) == (movie.value(forKey: "director") as? Director === second))
                    log.lines.append("director \(change.oldValue?.name ?? "-") \(change.newValue?.name ?? "-")")
                },
                first.observe(\.movies, options: [.old, .new]) { _, change in
                    log.lines.append("first \(change.oldValue?.count ?? -1) \(change.newValue?.count ?? -1)")
                },
                second.observe(\.movies, options: [.old, .new, .prior]) { _, change in
                    log.lines.append("second \(change.isPrior) \(change.oldValue?.count ?? -1) \(change.newValue?.count ?? -1)")
                },
            ]
            movie.director = second
            #expect(log.lines.sorted() == ["director Kurosawa Ozu", "first 1 0", "second false 0 1", "second true 0 -1"])
            log.lines = []
            second.mutableSetValue(forKey: "movies").remove(movie)
            first.movies = [movie]
            #expect(
                log.lines.sorted() == [
                    "director - Kurosawa", "director Ozu -", "first 0 1", "second false 1 0", "second true 1 -1",
                ])
            withExtendedLifetime(observations) {}
        }
    }

    @Test("handlers that change, delete and reset stop nothing")
    func wildHandlers() throws {
        try TestStore.cinema().run { context in
            let movie = movie(context)
            let other = Director(context: context, name: "Ozu")
            let changing = movie.observe(\.title) { movie, _ in
                if movie.duration < 3 {
                    movie.duration += 1
                    movie.title += "!"
                }
            }
            movie.title = "x"
            #expect(movie.title == "x!!!")
            changing.invalidate()
            let deleting = movie.observe(\.director, options: [.old, .new]) { movie, _ in
                context.delete(movie)
                context.processPendingChanges()
            }
            movie.director = other
            #expect(movie.isDeleted || movie.managedObjectContext == nil)
            deleting.invalidate()
            context.rollback()
            let second = self.movie(context, "second")
            let ending = Log()
            var observation: NSKeyValueObservation?
            observation = second.observe(\.title) { _, _ in
                ending.lines.append("once")
                observation?.invalidate()
            }
            second.title = "y"
            second.title = "z"
            #expect(ending.lines == ["once"])
            let resetting = second.observe(\.director, options: [.old, .new]) { _, change in
                context.reset()
                ending.lines.append("reset")
            }
            let later = second.director.observe(\.movies, options: [.old, .new, .prior]) { _, _ in ending.lines.append("later") }
            second.director = Director(context: context, name: "Naruse")
            #expect(ending.lines.contains("reset"))
            withExtendedLifetime((resetting, later)) {}
        }
    }

    @Test("a path through a relationship is told when its end changes and when the way to it does")
    func paths() throws {
        try TestStore.cinema().run { context in
            let movie = movie(context)
            let first = movie.director
            let second = Director(context: context, name: "Ozu")
            let log = Log()
            let observation = movie.observe(\.director.name, options: [.old, .new]) { _, change in
                log.lines.append("\(change.oldValue ?? "-") \(change.newValue ?? "-")")
            }
            first.name = "Akira"
            movie.director = second
            first.name = "nobody"
            second.name = "Yasujiro"
            #expect(log.lines == ["Kurosawa Akira", "Akira Ozu", "Ozu Yasujiro"])
            withExtendedLifetime(observation) {}
        }
    }

    @Test("@Managed properties, and properties that are computed from managed ones")
    func managed() throws {
        let entity = NSEntityDescription()
        entity.name = "Note"
        entity.managedObjectClassName = NSStringFromClass(ObservedNote.self)
        entity.properties = [("text", NSAttributeType.stringAttributeType), ("cd_size", .integer64AttributeType)].map {
            name, type in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = type
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        try TestStore(NSPersistentContainer(name: "Notes", managedObjectModel: model)).run { context in
            let note = ObservedNote(context: context)
            let log = Log()
            let observations = [
                note.observe(\.text, options: .new) { _, change in log.lines.append("text \((change.newValue ?? nil) ?? "-")") },
                note.observe(\.size, options: [.old, .new]) { _, change in
                    log.lines.append("size \((change.oldValue ?? nil) ?? -1) \((change.newValue ?? nil) ?? -1)")
                },
            ]
            note.text = "a"
            note.size = 4
            note.setValue(5, forKey: "cd_size")
            #expect(log.lines == ["text a", "size -1 4", "size 4 5"])
            withExtendedLifetime(observations) {}
        }
    }

    /// Observes title, duration and scenes of a movie, with all options but the first call.
    private func observeAll(_ movie: Movie, _ log: Log) -> [NSKeyValueObservation] {
        [
            movie.observe(\.title, options: [.old, .new]) { _, change in
                log.lines.append("title \(change.oldValue ?? "-") \(change.newValue ?? "-")")
            },
            movie.observe(\.duration, options: [.new]) { _, change in log.lines.append("duration \(change.newValue ?? -1)") },
            movie.observe(\.scenes, options: [.old, .new]) { _, change in
                log.lines.append("scenes \(change.oldValue?.count ?? -1) \(change.newValue?.count ?? -1)")
            },
            movie.observe(\.director) { _, _ in log.lines.append("director") },
            movie.observe(\.director.name, options: [.new]) { _, change in log.lines.append("name \(change.newValue ?? "-")") },
        ]
    }

    @Test("what a merge, a refresh, an undo or a rollback changes is told when it is processed, and no other property")
    func merges() throws {
        let store = try TestStore.cinema()
        let log = Log()
        nonisolated(unsafe) var kept: [NSKeyValueObservation] = []
        let id = try store.run { context in
            let movie = movie(context)
            movie.scenes = [Scene(context: context, text: "one")]
            try context.save()
            context.automaticallyMergesChangesFromParent = true
            kept = observeAll(movie, log)
            context.retainsRegisteredObjects = true
            return movie.objectID
        }
        func elsewhere(_ change: @escaping (Movie) throws -> Void) throws -> [String] {
            try store.fresh { context in
                try change(#require(try context.existingObject(with: id) as? Movie))
                try context.save()
            }
            return try store.run { _ in
                defer { log.lines = [] }
                return log.lines.sorted()
            }
        }
        #expect(try elsewhere { $0.title = "merged" } == ["title Ran merged"])
        #expect(try elsewhere { $0.title = "merged" } == [])
        #expect(try elsewhere { $0.userRating = 3 } == [])
        #expect(try elsewhere { $0.duration = 5 } == ["duration 5"])
        #expect(try elsewhere { $0.scenes.append(Scene(context: $0.managedObjectContext!, text: "two")) } == ["scenes 1 2"])
        #expect(try elsewhere { $0.scenes[0].text = "three" } == [])
        #expect(try elsewhere { $0.director.name = "Akira" } == ["name Akira"])
        let toNobody = try elsewhere { $0.director = Director(context: $0.managedObjectContext!, name: "Ozu") }
        #expect(toNobody == ["director", "name Ozu"])
        try store.run { context in
            let movie = try #require(context.object(with: id) as? Movie)
            context.refresh(movie, mergeChanges: false)
            context.processPendingChanges()
            context.refresh(movie, mergeChanges: true)
            context.processPendingChanges()
            #expect(log.lines == [])
            context.undoManager = UndoManager()
            movie.duration = 9
            movie.scenes = []
            context.processPendingChanges()
            log.lines = []
            context.undo()
            context.processPendingChanges()
            #expect(log.lines.sorted() == ["duration 5", "scenes 0 2"])
            log.lines = []
            movie.title = "never"
            context.processPendingChanges()
            log.lines = []
            context.rollback()
            context.processPendingChanges()
            #expect(log.lines == ["title never merged"])
        }
        withExtendedLifetime(kept) {}
    }

    @Test("a handler that is called before a change may reset the context or delete for good: what was to be set goes nowhere")
    func priorHandlersThatEndTheObject() throws {
        enum Way: CaseIterable { case reset, delete, deleteAndSave }
        for way in Way.allCases {
            let store = try TestStore.cinema()
            try store.run { context in
                let log = Log()
                func end(_ movie: Movie) {
                    if way == .reset { return context.reset() }
                    context.delete(movie)
                    if way == .deleteAndSave { #expect(throws: Never.self) { try context.save() } }
                }
                func make(_ title: String) throws -> Movie {
                    let movie = movie(context, title)
                    try context.save()
                    return movie
                }
                func observe<Value>(_ movie: Movie, _ path: KeyPath<Movie, Value>) -> NSKeyValueObservation {
                    movie.observe(path, options: [.prior, .old, .new]) { movie, change in
                        log.lines.append(change.isPrior ? "prior" : "after")
                        if change.isPrior { end(movie) }
                    }
                }
                let changes: [(Movie) -> Void] = [
                    { $0.title = "x" }, { $0.setValue("x", forKey: "title") },
                    {
                        $0.willChangeValue(forKey: "title")
                        $0.setPrimitiveValue("x", forKey: "title")
                        $0.didChangeValue(forKey: "title")
                    },
                    { $0.duration = 3 }, { $0.userRating = nil }, { $0.genre = .comedy },
                    { $0.director = Director(context: context, name: "new") },
                    { $0.setValue(nil, forKey: "director") },
                    { $0.scenes = [Scene(context: context, text: "s")] },
                    { $0.mutableOrderedSetValue(forKey: "scenes").add(Scene(context: context, text: "s")) },
                ]
                for (number, change) in changes.enumerated() {
                    let movie = try make("\(way) \(number)")
                    let observations: [NSKeyValueObservation] = [
                        observe(movie, \.title), observe(movie, \.duration), observe(movie, \.userRating),
                        observe(movie, \.genre), observe(movie, \.director), observe(movie, \.scenes),
                    ]
                    log.lines = []
                    change(movie)
                    #expect(log.lines == (way == .delete ? ["prior", "after"] : ["prior"]), "\(way) \(number)")
                    context.processPendingChanges()
                    withExtendedLifetime(observations) {}
                    context.reset()
                }
                let left = try context.fetch(Movie.self)
                #expect(left.count == (way == .deleteAndSave ? 0 : changes.count))
                #expect(left.allSatisfy { $0.title.hasPrefix("\(way)") && $0.director.name == "Kurosawa" && $0.scenes.isEmpty })
            }
        }
    }
}
