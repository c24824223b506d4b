import CoreData
import Foundation
import TestSupport
import Testing

@Suite("Classes as they are written for Apple's Core Data, and their model, through the build tool plugins")
struct PortedModelTests {
    private func inCinema(_ work: @Sendable (NSManagedObjectContext) throws -> Void) throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "PortedCinema")
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("Cinema.sqlite"))]
        try container.loadPersistentStores()
        let context = container.newBackgroundContext()
        try context.performAndWait { try work(context) }
    }

    @Test("The model is found by name, as a resource of the module, and merged; versions are there by themselves")
    func models() throws {
        #expect(NSPersistentContainer(name: "PortedCinema").managedObjectModel.entities.count == 4)
        let url = try #require(Bundle.module.url(forResource: "PortedCinema", withExtension: "momd"))
        #expect(
            NSManagedObjectModel(contentsOf: url)?.entitiesByName.keys.sorted() == [
                "PortedActor", "PortedMovie", "PortedPerson", "PortedScene",
            ])
        #expect(NSManagedObjectModel.mergedModel(from: [.module])?.entities.count == 4)
        let old = try #require(
            Bundle.module.url(forResource: "PortedCinema", withExtension: "mom", subdirectory: "PortedCinema.momd"))
        #expect(NSManagedObjectModel(contentsOf: old)?.entities.map(\.name) == ["PortedMovie"])
    }

    @Test("Properties of all kinds keep their values; hooks and initializers run")
    func properties() throws {
        try inCinema { context in
            let movie = PortedMovie(context: context)
            #expect(movie.created == Date(timeIntervalSinceReferenceDate: 0))
            #expect(movie.duration == 0 && !movie.isSeen && movie.votes == nil && movie.place == .top)
            let id = UUID()
            movie.id = id
            movie.page = URL(string: "https://example.org/ran")
            movie.title = "Ran"
            movie.budget = NSDecimalNumber(string: "11.5")
            movie.duration = 162
            movie.isSeen = true
            movie.poster = Data([1, 2])
            movie.rating = 8.2
            movie.votes = 12
            movie.place = .bottom
            let director = PortedPerson(context: context)
            director.name = "Akira Kurosawa"
            director.addToDirected(movie)
            try context.save()
            context.reset()
            let request = PortedMovie.fetchRequest()
            request.sortDescriptors = [PortedMovie.order]
            let found = try #require(try context.fetch(request).first)
            #expect(found.id == id && found.page?.path == "/ran" && found.title == "Ran" && found.budget == 11.5)
            #expect(found.duration == 162 && found.isSeen && found.poster == Data([1, 2]) && found.votes == 12)
            #expect(found.place == .bottom && (found as Rated).rating == 8.2)
            #expect(PortedMovie.keys.map { found.value(forKeyPath: $0) as? String } == ["Ran", "Akira Kurosawa", nil])
            #expect(PortedMovie.keys == ["title", "director.name", "rating"] && found.director?.directed == [found])
        }
    }

    @Test("R65: the accessors of sets and ordered sets change the relationship and its inverse")
    func accessors() throws {
        try inCinema { context in
            let movie = PortedMovie(context: context)
            movie.title = "Ikiru"
            let actors = (0..<3).map { _ in PortedActor(context: context) }
            movie.addToActors(actors[0])
            movie.addToActors(NSSet(array: [actors[1], actors[2]]))
            #expect(movie.actors?.count == 3 && actors[2].movies?.contains(movie) == true)
            movie.removeFromActors(actors[0])
            movie.removeFromActors(NSSet(array: [actors[0], actors[1]]))
            #expect(movie.actors?.allObjects as? [PortedActor] == [actors[2]] && actors[1].movies?.count == 0)

            let scenes = (0..<6).map { index in
                let scene = PortedScene(context: context)
                scene.text = "\(index)"
                return scene
            }
            func texts() -> String { (movie.scenes?.array as? [PortedScene] ?? []).compactMap(\.text).joined() }
            movie.addToScenes(scenes[0])
            movie.addToScenes(NSOrderedSet(array: [scenes[1], scenes[2]]))
            #expect(texts() == "012" && scenes[2].movie == movie)
            movie.insertIntoScenes(scenes[3], at: 1)
            movie.insertIntoScenes([scenes[4], scenes[5]], at: NSIndexSet(indexesIn: NSRange(location: 0, length: 2)))
            #expect(texts() == "450312")
            movie.removeFromScenes(at: 0)
            movie.removeFromScenes(at: NSIndexSet(index: 1))
            #expect(texts() == "5312" && scenes[4].movie == nil)
            movie.replaceScenes(at: 0, with: scenes[0])
            movie.replaceScenes(at: NSIndexSet(index: 1), with: [scenes[4]])
            #expect(texts() == "0412")
            movie.removeFromScenes(scenes[4])
            movie.removeFromScenes(NSOrderedSet(array: [scenes[0], scenes[2]]))
            #expect(texts() == "1" && scenes[0].movie == nil)
            try context.save()
        }
    }

    @Test("R49: requests that are cast for batch deletions delete")
    func deletions() throws {
        try inCinema { context in
            for deletion in PortedMovie.deletions() {
                PortedMovie(context: context).title = "Ran"
                try context.save()
                deletion.resultType = .resultTypeCount
                let result = try #require(try context.execute(deletion) as? NSBatchDeleteResult)
                #expect(result.result as? Int == 1)
            }
        }
    }

    @Test("Lines and files are those of the source")
    func places() throws {
        let lines = try String(contentsOfFile: PortedMovie.file, encoding: .utf8).components(separatedBy: "\n")
        #expect(PortedMovie.file.hasSuffix("PortedModelTests/Model/PortedMovie.swift"))
        #expect(lines[PortedMovie.line - 1].contains("static let line = #line"))
    }
}
