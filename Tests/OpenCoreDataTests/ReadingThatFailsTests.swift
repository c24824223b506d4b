import OpenCoreData
import TestSupport
import Testing

@Suite("R40, R102: typed objects of a store that can't be read")
struct ReadingThatFailsTests {
    private static let article = CodeExample.package.appendingPathComponent(
        "Sources/OpenCoreData/Documentation.docc/ReadingThatFails.md")

    @Test(
        "The Swift code of ReadingThatFails.md is what ReadingExample.swift has between its marks",
        .enabled(if: FileManager.default.fileExists(atPath: article.path)))
    func sameText() throws {
        #expect(try CodeExample.firstCode(in: Self.article) == CodeExample.marked("READING", in: "ReadingExample.swift"))
    }

    /// A store with a director and a movie, whose table of movies is gone.
    private func withoutMovies(_ body: @escaping (NSManagedObjectContext, Movie, Director) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let container = try CodeExample.cinema(in: folder)
        let ids = try container.newBackgroundContext().run { context in
            let kurosawa = Director(context: context, name: "Akira Kurosawa")
            let ran = Movie(context: context, imdbID: "1", title: "Ran", director: kurosawa)
            try context.save()
            return (ran.objectID, kurosawa.objectID)
        }
        let database = try Database(folder.file("Cinema.sqlite"))
        try database.execute("ALTER TABLE ZMOVIE RENAME TO ZAWAY")
        try container.newBackgroundContext().run { context in
            let movie = try #require(context.object(with: ids.0) as? Movie)
            let director = try #require(context.object(with: ids.1) as? Director)
            try body(context, movie, director)
        }
    }

    @Test("Loading throws, and value(of:) says that nothing could be read")
    func loading() throws {
        try withoutMovies { context, movie, director in
            #expect(throws: ReadingFailure.self) { try movie.load() }
            #expect(throws: ReadingFailure.self) { try director.load(\.movies) }
            #expect(throws: ReadingFailure.self) { try titles(of: [director], in: context) }
            #expect(throws: ReadingFailure.self) { try rename(movie, to: "?") }
            let error = #expect(throws: PropertyValueError.self) { try movie.value(of: \.title) }
            guard case .unreadable? = error?.reason else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(movie.value(ifSet: \.title) == nil)
            #expect(throws: PropertyValueError.self) { try director.value(of: \.movies) }
            #expect((try? director.value(of: \.name)) == "Akira Kurosawa")
            #expect(context.readingFailures.isEmpty && movie.isFault)
        }
    }

    @Test("Under the recording policy required properties have neutral values, and no save succeeds")
    func neutralValues() throws {
        try withoutMovies { context, movie, director in
            var told: [String] = []
            accessible(context) { told.append($0) }
            #expect(movie.title == "" && movie.imdbID == "" && movie.duration == 0 && movie.userRating == nil)
            let nobody = movie.director
            #expect(nobody.name == "" && nobody.movies.isEmpty && nobody === movie.director)
            #expect(director.movies.isEmpty)
            #expect(told.count == 2 && context.readingFailures.map(\.propertyName) == [nil, "movies"])
            // What stands for an object is related to nothing.
            let other = Movie(context: context, imdbID: "2", title: "Ikiru", director: director)
            other.director = nobody
            #expect(other.director === director)
            context.insert(nobody)
            #expect(!context.insertedObjects.contains(nobody))
            #expect(throws: ReadingFailure.self) { try context.save() }
            context.readingFailureHandler = nil
            context.reset()
        }
    }

    @Test(
        "Every page of a store overwritten: what can be read is right, what can't is told, and nothing is written",
        arguments: [0, 0xff])
    func damagedPages(byte: UInt8) throws {
        let folder = try TemporaryFolder()
        let url = try Reels.make(in: folder)
        let good = try Data(contentsOf: url)
        var (opened, failures) = (0, 0)
        for page in 1..<(good.count / 4096) {
            var bad = good
            bad.replaceSubrange(page * 4096..<(page + 1) * 4096, with: Data(repeating: byte, count: 4096))
            let file = folder.file("Bad\(page).sqlite")
            try bad.write(to: file)
            let container = try Reels.container(at: file)
            guard (try? container.loadPersistentStores()) != nil else { continue }
            opened += 1
            try container.newBackgroundContext().run { context in
                context.readingFailurePolicy = .record
                let id = try #require(container.persistentStoreCoordinator.persistentStores.first).identifier ?? ""
                for (entity, count) in [("Reel", 3), ("Frame", 120)] {
                    for key in 1...count {
                        let url = try #require(URL(string: "x-coredata://\(id)/\(entity)/p\(key)"))
                        guard let objectID = container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: url)
                        else { continue }
                        let object = context.object(with: objectID)
                        if let reel = object as? Reel {
                            let (label, count) = (reel.label, reel.frames.count)
                            #expect(reel.isDeleted || !context.readingFailures.isEmpty || !label.isEmpty && count == 40)
                            for frame in reel.frames { _ = (frame.caption, frame.reel.label) }
                        } else if let frame = object as? Frame, !frame.isDeleted {
                            let caption = frame.caption
                            #expect(frame.isDeleted || !context.readingFailures.isEmpty || caption.contains(" "))
                            frame.number += 1
                        }
                    }
                }
                guard !context.readingFailures.isEmpty else { return context.reset() }
                failures += 1
                #expect(throws: ReadingFailure.self) { try context.save() }
                context.reset()
            }
            try Reels.close(container)
            #expect(try Data(contentsOf: file) == bad, "page \(page)")
        }
        #expect(opened > 0 && failures > 0)
    }

    @Test("R34: a required relationship of an object whose context is gone stops and says so; the object's text, too")
    func contextGone() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let folder = try TemporaryFolder()
            let movie: Movie
            do {
                let container = try CodeExample.cinema(in: folder)
                movie = try container.newBackgroundContext().run { context in
                    let movie = Movie(
                        context: context, imdbID: "1", title: "Ran", director: Director(context: context, name: "Akira Kurosawa"))
                    try context.save()
                    return movie
                }
            }
            guard movie.managedObjectContext == nil, movie.title == "Ran", movie.description.contains("director: <context gone>")
            else {
                exit(0)
            }
            _ = movie.director
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("its context is gone; keep the container"))
    }
}
