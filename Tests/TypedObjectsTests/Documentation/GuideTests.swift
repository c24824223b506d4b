import Foundation
import OpenCoreData
import TestSupport
import Testing

@Suite("The examples of the guides do what the text says")
struct GuideTests {
    // MARK: Importing

    private struct Films {
        let folder: TemporaryFolder
        let container: NSPersistentContainer
        let context: NSManagedObjectContext
        let records = (0..<2300).map { number in
            ImportingExamples.FilmRecord(
                id: "tt\(number)", title: "Film \(number)", year: number % 2 == 0 ? 1900 + number % 100 : nil,
                studio: number % 3 == 0 ? "Studio \(number % 7)" : nil)
        }

        init() throws {
            folder = try TemporaryFolder()
            container = try NSPersistentContainer(
                name: "Films", entities: ImportingExamples.Film.self, ImportingExamples.Studio.self,
                ImportingExamples.Screening.self)
            container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: folder.file("Films.sqlite"))]
            try container.loadPersistentStores()
            context = container.newBackgroundContext()
        }

        func run(_ body: @Sendable (NSManagedObjectContext) throws -> Void) throws {
            try context.performAndWait { try body(context) }
            withExtendedLifetime(folder) {}
        }
    }

    @Test("Importing: an upsert keeps what was not set, and the new object is not the one that stays")
    func upsert() throws {
        try Films().run { context in
            let old = ImportingExamples.Film(context: context, imdbID: "tt0089881", title: "old", rating: 8.2, isSeen: true)
            old.studio = ImportingExamples.Studio(context: context, name: "Herald Ace")
            try context.save()
            let id = old.objectID
            context.reset()
            let ran = try #require(try ImportingExamples.upsertRan(in: context))
            #expect(ran.objectID == id && ran.title == "Ran" && ran.year == 1985)
            #expect(ran.rating == 8.2 && ran.isSeen && ran.studio?.name == "Herald Ace")
            let made = ImportingExamples.Film(context: context, imdbID: "tt0089881", title: "Ran")
            try context.save()
            #expect(made.managedObjectContext == nil)
            #expect(try context.count(of: ImportingExamples.Film.self) == 1)
            context.mergePolicy = NSMergePolicy.error
            let double = ImportingExamples.Film(context: context, imdbID: "tt0089881", title: "Ran")
            let error = #expect(throws: CocoaError.self) { try context.save() }
            #expect(error?.code == .managedObjectConstraintMerge && double.isInserted)
        }
    }

    @Test("Importing: objects in pieces may be imported again; the batch keeps relationships and comes in the records' order")
    func pieces() async throws {
        let films = try Films()
        let (context, records) = (films.context, films.records)
        for _ in 0..<2 { try await ImportingExamples.importFilms(records, into: films.container) }
        let ids = try await ImportingExamples.addFilms(records, to: films.container)
        try await context.perform {
            #expect(try context.count(of: ImportingExamples.Film.self) == records.count)
            #expect(try context.count(of: ImportingExamples.Studio.self) == 7)
            #expect(try ids.map { try context[$0].imdbID } == records.map(\.id))
            for (id, record) in zip(ids, records) {
                let film = try context[id]
                #expect(film.studio?.name == record.studio && film.year == record.year)
            }
        }
        #expect(ids.count == records.count)
        withExtendedLifetime(films) {}
    }

    @Test("Importing: a batch is inserted whole or not at all, from any sequence; batches change and delete")
    func batches() throws {
        try Films().run { context in
            #expect(try ImportingExamples.importLines(of: "a;A;1999\nb;B;\n", into: context) == 2)
            #expect(throws: CocoaError(.formatting)) { try ImportingExamples.importLines(of: "c;C;1\nd", into: context) }
            let all = try context.fetch(ImportingExamples.Film.self, sortedBy: [SortDescriptor(\.imdbID)])
            #expect(all.map(\.title) == ["A", "B"] && all.map(\.year) == [1999, nil])
            all[0].rating = -1
            all[1].title = ""
            try context.save()
            try ImportingExamples.tidyUp(context)
            #expect(all[0].rating == nil && all[1].isDeleted)
            let missing = #expect(throws: CocoaError.self) {
                try context.batchInsert(ImportingExamples.Film.self, from: ["e"]) { $0.imdbID = $1 }
            }
            #expect(missing?.code == .validationMissingMandatoryProperty)
            #expect(missing?.localizedDescription.contains("(in row 0)") == true)
            #expect(try context.count(of: ImportingExamples.Film.self) == 1)
            #expect(try ImportingExamples.averageLengthOfTitles(in: context) == 1)
        }
    }

    @Test("Importing: Apple's batch insert tells a context that it is handed to") @MainActor
    func requests() throws {
        let films = try Films()
        let (context, viewContext) = (films.context, films.container.viewContext)
        var told: [String] = []
        let observation = viewContext.changes(of: ImportingExamples.Film.self).inserted().observe {
            told += $0.inserted.map(\.title)
        }
        try context.performAndWait {
            try ImportingExamples.insertTitles([.init(id: "1", title: "Ran")], in: context, showingIn: context)
        }
        #expect(told.isEmpty)
        let other = NSManagedObjectContext(.mainQueue)
        other.persistentStoreCoordinator = films.container.persistentStoreCoordinator
        try ImportingExamples.insertTitles([.init(id: "2", title: "Ikiru")], in: other, showingIn: viewContext)
        #expect(told == ["Ikiru"])
        withExtendedLifetime(films) { observation.cancel() }
    }

    @Test("Importing: related objects hold each other until the context is reset")
    func memory() throws {
        try Films().run { context in
            func add(_ studio: ImportingExamples.Studio?) throws {
                for number in 0..<5 {
                    ImportingExamples.Film(
                        context: context, imdbID: "\(number) \(studio?.name ?? "")", title: ""
                    ).studio = studio
                }
                try context.save()
            }
            try add(nil)
            #expect(context.registeredObjects.isEmpty)
            try add(ImportingExamples.Studio(context: context, name: "Toho"))
            #expect(!context.registeredObjects.isEmpty)
            context.reset()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    // MARK: Background work

    @Test("Background work: references go between queues, the main context follows saves, an actor works on its context")
    func background() async throws {
        let container = try NSPersistentContainer(
            name: "Movies", entities: BackgroundExamples.Director.self, BackgroundExamples.Movie.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription()]
        try container.loadPersistentStores()
        await MainActor.run { BackgroundExamples.follow(container) }
        let ikiru = try await BackgroundExamples.add("Ikiru", by: "Akira Kurosawa", to: container)
        #expect(try await BackgroundExamples.show(ikiru, of: container) == "Ikiru by Akira Kurosawa")
        let lines = try await BackgroundExamples.lines(of: container)
        #expect(lines == [.init(id: ikiru, text: "Ikiru by Akira Kurosawa")])
        let context = container.newBackgroundContext()
        try await BackgroundExamples.setMinutes(143, of: ikiru, in: context)
        let kurosawa = try await context.perform { try context[ikiru].director.typedID }
        #expect(try await BackgroundExamples.use(container, kurosawa) == 143 + 162)
        // The main context merges on its own queue, after the save has returned.
        let isMerged = try await MainActor.run { try container.viewContext[ikiru].minutes == 143 }
        #expect(isMerged)
        try await context.perform {
            context.delete(try context[kurosawa])
            try context.save()
            let error = #expect(throws: CocoaError.self) { try context[ikiru] }
            #expect(error?.code == .managedObjectReferentialIntegrity)
        }
    }

    // MARK: Errors

    private typealias Errors = ErrorExamples

    private func movies(at url: URL? = nil) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Movies", entities: Errors.Director.self, Errors.Movie.self)
        let description = url.map { NSPersistentStoreDescription(url: $0) } ?? NSPersistentStoreDescription()
        description.timeout = 0.02
        container.persistentStoreDescriptions = [description]
        return container
    }

    @Test("Errors: what a save refuses has a text for people, and nothing is lost") @MainActor
    func saving() throws {
        let container = try movies()
        try container.loadPersistentStores()
        let context = container.viewContext
        var log: [String] = []
        func save() -> Errors.Outcome { Errors.save(context) { log.append($0) } }

        let kurosawa = Errors.Director(context: context, name: "Akira Kurosawa")
        let ran = Errors.Movie(context: context, imdbID: "1", title: "", director: kurosawa, minutes: 1000)
        let texts = ["Please enter a title of at most 200 letters.", "A movie of 1000 minutes is too long."]
        #expect(save() == .invalid(texts))
        #expect(ran.isInserted && log.isEmpty)
        (ran.title, ran.minutes) = ("Ran", 162)
        #expect(save() == .saved)

        let other = Errors.Movie.makeInstance(in: context)
        (other.imdbID, other.title) = ("1", "Ikiru")
        #expect(save() == .invalid(["Please choose a director."]))
        other.director = kurosawa
        #expect(save() == .exists && save() == .exists && log.count == 2)
        let double = #expect(throws: CocoaError.self) { try context.save() }
        #expect(double.map(Errors.duplicates) == [other])
        other.imdbID = "2"
        #expect(save() == .saved)

        context.delete(kurosawa)
        #expect(save() == .invalid(["Akira Kurosawa still has movies in the list."]))
        context.rollback()
        #expect(try Errors.titles(in: context).sorted() == ["Ikiru by Akira Kurosawa", "Ran by Akira Kurosawa"])
    }

    @Test("Errors: a conflict, answered by taking the store's values") @MainActor
    func conflict() throws {
        let folder = try TemporaryFolder()
        let container = try movies(at: folder.file("Movies.sqlite"))
        #expect(try Errors.open(container) == nil)
        let context = container.viewContext
        let kurosawa = Errors.Director(context: context, name: "Kurosawa")
        try context.save()
        let other = container.newBackgroundContext()
        let id = kurosawa.typedID
        try other.performAndWait {
            try other[id].name = "Akira Kurosawa"
            try other.save()
        }
        kurosawa.name = "A. Kurosawa"
        #expect(Errors.save(context) { _ in } == .changedElsewhere)
        let error = try #require(throws: CocoaError.self) { try context.save() }
        try Errors.takeTheirs(error, in: context)
        #expect(kurosawa.name == "Akira Kurosawa" && !context.hasChanges)
    }

    @Test("Errors: what opening refuses has a text for people, too")
    func opening() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("Movies.sqlite")
        #expect(try Errors.open(try movies(at: url)) == nil)
        let other = try NSPersistentContainer(name: "Other", entities: TestingExamples.Movie.self)
        let description = NSPersistentStoreDescription(url: url)
        description.shouldMigrateStoreAutomatically = false
        other.persistentStoreDescriptions = [description]
        #expect(try Errors.open(other) == "The data was made by another version of this program.")
        let text = try folder.write("This is no database. " + String(repeating: "x", count: 100), to: "Text.sqlite")
        #expect(try Errors.open(try movies(at: text)) == "The data is damaged. Please restore a backup.")
        let nowhere = #expect(throws: CocoaError.self) { try Errors.open(try movies(at: folder.file("no/Movies.sqlite"))) }
        #expect(nowhere?.code == .fileReadUnknown && nowhere?.localizedDescription.contains("there is no folder") == true)
    }

    @Test("Errors: a store that goes is a reading failure with the store's error") @MainActor
    func reading() throws {
        let folder = try TemporaryFolder()
        let container = try movies(at: folder.file("Movies.sqlite"))
        try container.loadPersistentStores()
        let writer = container.viewContext
        _ = Errors.Movie(
            context: writer, imdbID: "1", title: "Ran", director: Errors.Director(context: writer, name: "Kurosawa"))
        try writer.save()
        try Database(folder.file("Movies.sqlite")).execute("ALTER TABLE ZDIRECTOR RENAME TO ZAWAY")
        let context = container.newBackgroundContext()
        context.performAndWait {
            let failure = #expect(throws: ReadingFailure.self) { try Errors.titles(in: context) }
            #expect(failure?.entityName == "Director")
        }
    }
}
