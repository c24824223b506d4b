import Foundation
import OpenCoreData
import TestSupport
import Testing

@Entity final class Album: NSManagedObject {
    var title: String
    // One side names the inverse: for some the side with many, for some that with one.
    @Relationship(inverse: \Song.record) var songs: Set<Song>
    var singles: Set<Song>
}

@Entity final class Song: NSManagedObject {
    var title: String
    var record: Album?
    @Relationship(inverse: \Album.singles) var single: Album?
}

@Suite("Reports about classes, models and relationships")
struct ModelReportTests {
    @Test(
        "B22: an optional to-one is set, changed and taken away, seen from both sides after each step, whichever side names the inverse",
        arguments: [true, false])
    func toOne(_ isNamedByMany: Bool) throws {
        let store = try TestStore(NSPersistentContainer(name: "Records", entities: Album.self, Song.self))
        try store.run { context in
            let (one, two) = (Album(context: context, title: "1"), Album(context: context, title: "2"))
            let song = Song(context: context, title: "a")
            func expect(_ owner: Album?) {
                #expect((isNamedByMany ? song.record : song.single) === owner)
                for record in [one, two] {
                    let songs = isNamedByMany ? record.songs : record.singles
                    #expect(songs.contains(song) == (record === owner) && songs.count == (record === owner ? 1 : 0))
                }
            }
            func set(_ owner: Album?) { if isNamedByMany { song.record = owner } else { song.single = owner } }
            for owner in [one, two, nil, one] {
                set(owner)
                expect(owner)
                try context.save()
                context.refreshAllObjects()
                expect(owner)
            }
        }
    }

    @Test("B24: one class serves two containers at a time: every object is of its own context's model")
    func twoModels() async throws {
        let stores = try (0..<2).map { _ in try TestStore.cinema() }
        let models = stores.map(\.container.managedObjectModel)
        #expect(models[0] !== models[1])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (store, model) in zip(stores, models) {
                group.addTask {
                    for round in 1...100 {
                        try store.fresh { context in
                            let director = Director(context: context, name: "\(round)")
                            #expect(director.entity.managedObjectModel === model)
                            try context.save()
                            let found = try context.fetch(Director.self, where: #Predicate { $0.name == "\(round)" })
                            #expect(found == [director] && found.allSatisfy { $0.entity.managedObjectModel === model })
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let counts = try stores.map { try $0.fresh { try $0.count(of: Director.self) } }
        #expect(counts == [100, 100])
    }

    @Test("B33: two versions of a schema may list the same class; an entity that two models share stops at once, by name")
    func sharedEntity() async throws {
        let before = try NSManagedObjectModel(Album.self, Song.self)
        let after = try NSManagedObjectModel(Album.self, Song.self, Director.self, Movie.self, Scene.self)
        #expect(before.entitiesByName["Song"] !== after.entitiesByName["Song"])
        #expect(before.entitiesByName["Song"]?.versionHash == after.entitiesByName["Song"]?.versionHash)
        let folder = try TemporaryFolder()
        for model in [before, after] {
            let store = try TestStore(
                NSPersistentContainer(name: "Records", managedObjectModel: model),
                at: folder.file(model.versionChecksum.prefix(4).filter(\.isLetter) + ".sqlite"))
            try store.run { context in
                _ = Song(context: context, title: "a")
                try context.save()
            }
            let count = try store.fresh { try $0.count(of: Song.self) }
            #expect(count == 1)
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let entity = NSEntityDescription()
            entity.name = "Song"
            let (first, second) = (NSManagedObjectModel(), NSManagedObjectModel())
            first.entities = [entity]
            second.entities = [entity]
        }
        let message = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(message.contains("The entity “Song” is in another model already"))
    }

    @Test("B32: a relationship without value in the store is nil or empty, whatever its kind")
    func nullRelationships() throws {
        let folder = try TemporaryFolder()
        func store() throws -> TestStore { try TestStore.cinema(at: folder.file("cinema.sqlite")) }
        try store().run { context in
            _ = Scene(context: context, text: "alone")
            let director = Director(context: context, name: "Akira Kurosawa")
            _ = SecondPart(context: context, imdbID: "2", title: "Part 2", director: director)
            _ = Director(context: context, name: "none")
            try context.save()
        }
        try store().run { context in
            #expect(try context.fetch(Scene.self).map(\.movie) == [nil])
            let sequel = try #require(try context.fetch(SecondPart.self).first)
            #expect(sequel.original == nil && sequel.scenes.isEmpty)
            let idle = try #require(try context.fetch(Director.self).first { $0.name == "none" })
            #expect(idle.movies.isEmpty && idle.value(forKey: "movies") as? NSSet == NSSet())
            let scenes = sequel.value(forKey: "scenes") as? NSOrderedSet
            #expect(scenes?.count == 0 && sequel.value(forKey: "original") == nil)
        }
    }
}
