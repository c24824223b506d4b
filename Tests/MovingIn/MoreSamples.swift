import CoreData
import Foundation

extension Samples {
    @MainActor static func history() async throws {
        try await inFolder { folder in
            let url = folder.appendingPathComponent("Library.sqlite")
            let stack = try HistoryStack(storeURL: url, author: "app")
            try fill(stack.container.viewContext)
            stack.container.viewContext.reset()
            let other = try HistoryStack(storeURL: url, author: "extension")
            let book = Book.fetch(in: other.container.viewContext)[0]
            book.isLent = true
            try other.container.viewContext.save()
            try stack.container.viewContext.setQueryGenerationFrom(.current)
            try expect(Book.count(in: stack.container.viewContext) { $0.predicate = NSPredicate(format: "isLent == YES") } == 1)
        }
    }

    @MainActor static func stores() async throws {
        try await inFolder { folder in
            func url(_ name: String) -> URL { return folder.appendingPathComponent("\(name).sqlite") }
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            let coordinator = try makeCoordinator(at: url("Library"))
            context.persistentStoreCoordinator = coordinator
            try fill(context)
            let files = StoreFiles(coordinator: coordinator, storeURL: url("Library"))
            try files.backUp(to: url("Backup"))
            try StoreFiles.mark(url("Backup"), "Monday")
            try expect(StoreFiles.model(of: url("Backup"))?.entitiesByName["Book"] != nil)
            context.reset()
            try files.reset()
            try expect(Book.count(in: context) == 0)
            for store in coordinator.persistentStores { try coordinator.remove(store) }
            try files.restore(from: url("Backup"))
            try expect(Book.count(in: context) == 3)
            context.reset()
            let moved = try files.move(to: url("Moved"))
            try expect(moved.url == url("Moved") && Book.count(in: context) == 3 && coordinator.persistentStores == [moved])
            try expect(coordinator.metadata(for: moved)["word"] as? String == "Monday")
            try expect(FileManager.default.fileExists(atPath: url("Library").path))
        }
    }

    @MainActor static func observer() throws {
        let context = library()
        try fill(context)
        let book = Book.fetch(in: context) { $0.predicate = NSPredicate(format: "isbn = %@", "0") }[0]
        let observer = BookObserver(book: book)
        book.title = "A"
        book.setValue(true, forKey: "isLent")
        observer.stop()
        book.title = "B"
        try expect(observer.log == ["The Dispossessed → A", "A is lent: true"], "\(observer.log)")
    }

    @MainActor static func search() throws {
        let context = library()
        try fill(context)
        var search = Search()
        search.add("title", .contains, "THE")
        search.add("pages", .greaterThan, 100)
        try expect(search.constants["pages"] as? Int == 100)
        let found = try context.fetch(Book.sortedFetchRequest(with: search.predicate))
        try expect(found.map { $0.title } == ["The Lathe of Heaven"])
        let author = Author.fetch(in: context)[0]
        let others = Search.added(between: .distantPast, and: .distantFuture, not: found.map { $0.objectID })
        try expect(try context.fetch(Book.sortedFetchRequest(with: others)).count == 2)
        try expect(try context.fetch(Book.sortedFetchRequest(with: Search.of(author))).count == 3)
        try expect(try context.titles(of: author).count == 3)
    }

    @MainActor static func transformables() async throws {
        ShelfMarkTransformer.register()
        try await inFolder { folder in
            let url = folder.appendingPathComponent("Library.sqlite")
            let stack = CoreDataStack(modelName: "Library", storeURL: url)
            let repository = CoreDataRepository<Chapter>(managedObjectContext: stack.mainContext)
            let reader = UUID()
            let chapter = repository.make {
                $0.keywords = ["utopia", "anarchy"]
                $0.links = ["review": "https://example.org"]
                $0.marks = [1, "two"]
                $0.facts = ["pages": 12]
                $0.anything = "some text" as NSString
                $0.readers = [reader: 7]
            }
            let book = Book.make(in: stack.mainContext) {
                $0.isbn = "1"
                $0.title = "The Dispossessed"
                $0.shelfMark = "QA 76"
            }
            book.addToChapters(chapter)
            try stack.saveContext()
            let context = CoreDataStack(modelName: "Library", storeURL: url).newDerivedContext()
            let id = chapter.objectID.uriRepresentation()
            try context.performAndWait {
                let chapter = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: id)
                    .flatMap { try? context.existingObject(with: $0) as? Chapter }
                try expect(chapter?.keywords == ["utopia", "anarchy"] && chapter?.links?["review"] == "https://example.org")
                try expect(chapter?.marks == [1, "two"] && chapter?.facts == ["pages": 12])
                try expect(chapter?.anything as? String == "some text" && chapter?.readers == [reader: 7])
                try expect(chapter?.book?.shelfMark == "QA 76")
            }
        }
    }

    /// Makes, saves and finds an object of every entity of a model, by the app's own repository: of the model that the second argument names, or of the app's.
    @MainActor static func model() throws {
        let url = CommandLine.arguments.dropFirst(2).first.map { URL(fileURLWithPath: $0) }
        guard let model = url.map({ NSManagedObjectModel(contentsOf: $0) }) ?? NSManagedObjectModel.mergedModel(from: [.module])
        else { throw WrongResult(description: "no model") }
        // Of a model of somebody else the app has no classes.
        if url != nil { model.entities.forEach { $0.managedObjectClassName = "NSManagedObject" } }
        let container = NSPersistentContainer(name: "Model", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))]
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        if let failure = failure { throw failure }
        let store = AnyStore(context: container.viewContext)
        for entity in model.entities where !entity.isAbstract {
            try store.fill(store.make(entity), depth: 0)
        }
        try container.viewContext.save()
        container.viewContext.reset()
        for entity in model.entities where !entity.isAbstract {
            try expect(try store.count(entity) > 0, entity.name ?? "")
        }
    }
}
