import Foundation
import OpenCoreData
import Synchronization
import Testing

@ManagedActor private actor Library {
    private(set) var added = 0

    func add(_ title: String) throws -> ManagedObjectID<Movie> {
        let director = try context.fetch(Director.self).first ?? Director(context: context, name: "Akira Kurosawa")
        let movie = Movie(context: context, imdbID: title, title: title, director: director)
        added += 1
        try context.save()
        return movie.typedID
    }

    func title(of id: ManagedObjectID<Movie>) throws -> String { try self[id].title }

    func draft() -> Int {
        _ = Movie.makeInstance(in: context)
        return context.insertedObjects.count
    }

    func bounce(_ other: Library, times: Int) async -> Int {
        times == 0 ? 0 : await other.bounce(self, times: times - 1) + 1
    }
}

@ManagedActor private actor Archive {
    let name: String

    init(name: String, context: NSManagedObjectContext) {
        self.name = name
        managedObjectContext = context
    }

    func countMovies() throws -> Int { try context.count(of: Movie.self) }
}

@Suite("Actors on a context's queue")
struct ManagedActorTests {
    @Test("an actor uses the context and its objects directly; references and values go in and out", .timeLimit(.minutes(5)))
    func use() async throws {
        let store = try TestStore.cinema()
        let library = Library(container: store.container)
        let id = try await library.add("Ran")
        #expect(try await library.title(of: id) == "Ran")
        #expect(await library.added == 1)
        #expect(try store.run { try $0[id].title } == "Ran")
        let archive = Archive(name: "old", context: store.context)
        #expect(try await archive.countMovies() == 1)
        #expect(archive.managedObjectContext === store.context && archive.name == "old")
    }

    @Test("pending changes are processed when the actor's code returns", .timeLimit(.minutes(5)))
    func processing() async throws {
        let store = try TestStore.cinema()
        let context = store.context
        let library = Library(context: context)
        let count = Mutex(0)
        let observation = context.performAndWait {
            context.changes(of: Movie.self).inserted().observe { changes in count.withLock { $0 += changes.inserted.count } }
        }
        #expect(await library.draft() == 1)
        await context.perform(schedule: .enqueued) {}
        #expect(count.withLock { $0 } == 1)
        observation.cancel()
    }

    @Test("B14: actors that wait for each other don't block each other", .timeLimit(.minutes(5)))
    func pingPong() async throws {
        let store = try TestStore.cinema()
        let actors = (0..<8).map { _ in Library(container: store.container) }
        let total = await withTaskGroup(of: Int.self) { group in
            for index in actors.indices {
                group.addTask { await actors[index].bounce(actors[(index + 1) % actors.count], times: 50) }
            }
            return await group.reduce(0, +)
        }
        #expect(total == 8 * 50)
    }

    @Test("an actor may run on the main queue", .timeLimit(.minutes(5)))
    func mainQueue() async throws {
        let store = try TestStore.cinema()
        let library = Library(context: store.container.viewContext)
        let id = try await library.add("Ran")
        #expect(try await MainActor.run { try store.container.viewContext[id].title } == "Ran")
    }
}
