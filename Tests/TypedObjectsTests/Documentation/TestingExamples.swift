import Foundation
import OpenCoreData
import OpenCoreDataTestSupport
import Testing

// The code of Testing.md: a test compares the two.

enum TestingExamples {
    @Entity final class Movie: NSManagedObject {
        @Attribute(.unique) var imdbID: String
        @Attribute(.length(1...200)) var title: String
        var rating: Double?
    }

    /// A list of movies for one test, in memory.
    static func emptyList() throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Movies", entities: Movie.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        try container.loadPersistentStores()
        return container
    }

    @Suite("A list of movies") @MainActor struct MovieListTests {
        let container: NSPersistentContainer
        var context: NSManagedObjectContext { container.viewContext }

        init() throws { container = try emptyList() }

        @Test func aMovieIsUnrated() throws {
            _ = Movie(context: context, imdbID: "tt0089881", title: "Ran")
            try context.save()
            #expect(!context.hasChanges)
            let other = container.newBackgroundContext()
            let ratings = try other.performAndWait { try other.fetch(Movie.self).map(\.rating) }
            #expect(ratings == [nil])
        }
    }

    /// Gives a test a folder, and removes it afterwards.
    static func withFolder(_ test: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString, isDirectory: true)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let outcome = Result { try test(folder) }
        try FileManager.default.removeItem(at: folder)
        try outcome.get()
    }

    static func openList(in folder: URL) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Movies", entities: Movie.self)
        let file = folder.appendingPathComponent("Movies.sqlite")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: file)]
        try container.loadPersistentStores()
        return container
    }

    @Test("Nil is kept in the file, and is not 0") @MainActor static func nilIsKept() throws {
        try withFolder { folder in
            let first = try openList(in: folder).viewContext
            Movie(context: first, imdbID: "tt0089881", title: "Ran").rating = 8.2
            _ = Movie(context: first, imdbID: "tt0044741", title: "Ikiru")
            try first.save()

            let second = try openList(in: folder).viewContext
            let movies = try second.fetch(Movie.self, sortedBy: [SortDescriptor(\.title)])
            #expect(movies.map(\.title) == ["Ikiru", "Ran"])
            #expect(movies.map(\.rating) == [nil, 8.2])
        }
    }

    @Test("A movie needs a title") @MainActor static func titleIsRequired() throws {
        let context = try emptyList().viewContext
        let movie = Movie(context: context, imdbID: "tt0089881", title: "")
        let error = #expect(throws: CocoaError.self) { try context.save() }
        let failures = error?.validationFailures(of: Movie.self) ?? []
        #expect(failures.map(\.keyPath) == [\.title])
        #expect(failures.map(\.code) == [.validationStringTooShort])

        movie.title = "Ran"
        try context.save()
        #expect(try context.count(of: Movie.self) == 1)
    }

    @Test("Rating a movie tells of it once") @MainActor static func ratingIsTold() throws {
        let context = try emptyList().viewContext
        let ran = Movie(context: context, imdbID: "tt0089881", title: "Ran")
        try context.save()

        var told: [Double?] = []
        let observation = context.changes(of: Movie.self).updated().changing(\.rating).observe { changes in
            told += changes.map(\.object.rating)
        }
        ran.title = "乱"
        context.processPendingChanges()
        ran.rating = 8.2
        context.processPendingChanges()
        observation.cancel()
        #expect(told == [8.2])
    }

    @Suite("Ratings") @MainActor struct RatingTests {
        let stack: IsolatedStack
        var context: NSManagedObjectContext { stack.viewContext }

        init() throws { stack = try IsolatedStack(entities: Movie.self) }

        @Test func ratingChangesNothingElse() throws {
            let objects = try context.insert(["Movie": ["ran": ["imdbID": "tt0089881", "title": "Ran"]]])
            let ran = try objects["ran", as: Movie.self]
            let changes = try expectChanges(of: Movie.self, in: context, inserted: 0, updated: 1) { ran.rating = 8.2 }
            #expect(changes.changedKeys(of: ran) == ["rating"])
        }

        @Test func aListIsOneQuery() throws {
            var random = RandomObjects(seed: 42, in: context)
            random.make("imdbID", of: "Movie") { generator in "tt\(Int.random(in: 1_000_000...9_999_999, using: &generator))" }
            try random.insert(100, Movie.self)
            try context.save()
            context.reset()
            let statements = try recordStatements(in: context) { _ = try context.fetch(Movie.self).map(\.title) }
            #expect(statements.filter { $0.kind == .select }.count == 1)
            try checkGraph(in: context)
        }
    }

    @Test("What is saved is in the file") @MainActor static func saved() throws {
        let stack = try IsolatedStack(entities: Movie.self, in: .temporaryFile)
        _ = Movie(context: stack.viewContext, imdbID: "tt0044741", title: "Ikiru")
        try stack.viewContext.save()
        #expect(try stack.reopen().viewContext.fetch(Movie.self).map(\.title) == ["Ikiru"])
    }

    static func check(_ modelFile: URL) throws {
        let model = try NSManagedObjectModel(readingModelAt: modelFile)
        #expect(model.issues(for: Movie.self) == [])
    }
}
