import CoreData
import Foundation

struct WrongResult: Error, CustomStringConvertible {
    let description: String
}

/// Stops a sample whose result is another than it should be.
func expect(_ condition: Bool, _ what: @autoclosure () -> String = "", line: Int = #line) throws {
    if !condition { throw WrongResult(description: "Samples.swift:\(line): \(what())") }
}

/// Runs what stands in the other files, each sample by its name: the program's first argument.
@main
enum Samples {
    @MainActor static let all: [String: @MainActor () async throws -> Void] = [
        "container": container, "template": template, "stack": stack, "coordinator": coordinator, "managed": managed,
        "repository": repository,
        "batches": batches, "list": list, "validation": validation, "transformer": transformer, "editor": editor, "undo": undo,
        "importer": importer, "statistics": statistics, "saves": saves, "accessors": accessors, "fetching": fetching,
        "history": history, "stores": stores, "observer": observer, "search": search, "transformables": transformables,
        "model": model,
    ]

    @MainActor static func main() async {
        let name = CommandLine.arguments.dropFirst().first ?? ""
        guard let sample = all[name] else {
            print(all.keys.sorted().joined(separator: "\n"))
            return
        }
        do {
            try await sample()
            print("\(name): right")
        } catch {
            print("\(name): \(error)")
            exit(1)
        }
    }

    // MARK: Stacks

    @MainActor static func template() throws {
        let titles = Book.fetch(in: PersistenceController.preview.container.viewContext).map { $0.title }.sorted()
        try expect(titles == (0..<10).map { "Book \($0)" }, "\(titles)")
        try expect(Book.count(in: PersistenceController.shared.container.viewContext) == 0)
        try expect(PersistenceController.shared.container.name == "Library")
    }

    @MainActor static func inFolder(_ body: @MainActor (URL) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("MovingIn-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await body(folder)
    }

    @MainActor static func stack() async throws {
        try await inFolder { folder in
            let stack = CoreDataStack(modelName: "Library", storeURL: folder.appendingPathComponent("Library.sqlite"))
            let author = Author(context: stack.mainContext)
            author.name = "Ursula K. Le Guin"
            try stack.saveContext()
            let id = author.objectID
            let derived = stack.newDerivedContext()
            try await derived.perform {
                let author = try derived.existingObject(with: id) as? Author
                author?.name = "U. K. Le Guin"
                try derived.save()
            }
            let other = CoreDataStack(modelName: "Library", storeURL: folder.appendingPathComponent("Library.sqlite"))
            let names = Author.fetch(in: other.mainContext).map { $0.name }
            try expect(names == ["U. K. Le Guin"], "\(names)")
            // What another context saved comes to the main context by itself.
            for _ in 0..<100 where author.name != "U. K. Le Guin" { try await Task.sleep(nanoseconds: 10_000_000) }
            try expect(author.name == "U. K. Le Guin", author.name)
        }
    }

    @MainActor static func coordinator() async throws {
        try await inFolder { folder in
            let url = folder.appendingPathComponent("Old.sqlite")
            let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
            context.persistentStoreCoordinator = try makeCoordinator(at: url)
            let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context) as? Author
            author?.name = "Italo Calvino"
            try context.save()
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url, options: nil)
            let model = context.persistentStoreCoordinator?.managedObjectModel
            try expect(model?.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata) == true)
        }
    }

    @MainActor static func container() throws {
        let container = LibraryContainer(name: "Library")
        let folder = LibraryContainer.defaultDirectoryURL()
        try expect(container.persistentStoreDescriptions.first?.url == folder.appendingPathComponent("Library.sqlite"))
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        var failure: Error?
        container.loadPersistentStores { _, error in failure = error }
        try expect(failure == nil, "\(String(describing: failure))")
        let background = container.newBackgroundContext()
        background.performAndWait {
            Author(context: background).name = "Italo Calvino"
            container.saveContext(backgroundContext: background)
        }
        try expect(Author.count(in: container.viewContext) == 1 && !container.viewContext.hasChanges)
        container.saveContext()
    }

    /// An empty library in memory.
    @MainActor static func library() -> NSManagedObjectContext { PersistenceController(inMemory: true).container.viewContext }

    @MainActor static func fill(_ context: NSManagedObjectContext) throws {
        let author = Author(context: context)
        author.name = "Ursula K. Le Guin"
        for (number, title) in ["The Dispossessed", "The Lathe of Heaven", "Always Coming Home"].enumerated() {
            let book = Book(context: context)
            book.isbn = "\(number)"
            book.title = title
            book.pages = Int32(100 * (number + 1))
            book.author = author
        }
        try context.save()
    }

    // MARK: Patterns

    @MainActor static func managed() throws {
        let context = library()
        try fill(context)
        try expect(Book.entityName == "Book")
        let sorted = try context.fetch(Book.sortedFetchRequest).map { $0.title }
        try expect(sorted == ["Always Coming Home", "The Dispossessed", "The Lathe of Heaven"], "\(sorted)")
        let long = try context.fetch(Book.sortedFetchRequest(with: Book.longer(than: 150)))
        try expect(long.map { $0.pages } == [300, 200])
        let predicate = NSPredicate(format: "%K == %@", "name", "Italo Calvino")
        let made = Author.findOrCreate(in: context, matching: predicate) { $0.name = "Italo Calvino" }
        let found = Author.findOrCreate(in: context, matching: predicate) { _ in fatalError("made twice") }
        try expect(made === found && context.saveOrRollback())
        context.reset()
        try expect(Author.findOrFetch(in: context, matching: predicate)?.name == "Italo Calvino")
        let broken: Book = context.insertObject()
        broken.pages = -1
        try expect(!context.saveOrRollback() && !context.hasChanges && Book.count(in: context) == 3)
    }

    @MainActor static func repository() throws {
        let context = library()
        let work = UnitOfWork(context: context)
        let book = try work.books.create().get()
        book.isbn = "1"
        book.title = "Invisible Cities"
        try expect(try work.saveChanges().get())
        let found = try work.books.get(predicate: Book.unread, sortDescriptors: nil).get()
        try expect(found == [book])
        try expect(try work.books.delete(entity: book).get() && work.saveChanges().get())
        try expect(try work.books.get(predicate: nil, sortDescriptors: nil).get().isEmpty)
    }

    @MainActor static func batches() throws {
        let context = library()
        let records = (0..<100).map { BookRecord(isbn: "\($0)", title: "Book \($0)", pages: $0) }
        try expect(try context.insertBooks(records) == 100)
        let books = try context.fetch(Book.sortedFetchRequest)
        try expect(books.count == 100 && !books.contains { $0.isLent })
        try expect(try context.lendAllBooks().count == 100)
        try expect(books.allSatisfy { $0.isLent })
        try context.deleteBooks(matching: Book.longer(than: 9))
        try expect(Book.count(in: context) == 10, "\(Book.count(in: context))")
        // The merge deletes the objects of the context, too.
        try expect(books.filter { !$0.isDeleted && $0.managedObjectContext != nil }.count == 10)
    }

    @MainActor static func list() throws {
        let context = library()
        try fill(context)
        let source = BooksDataSource(context: context)
        try source.load()
        try expect(source.numberOfSections == 1 && source.numberOfRows(in: 0) == 3)
        try expect(source.title(at: IndexPath(item: 1, section: 0)) == "The Dispossessed")
        let books = Book.fetch(in: context) { $0.sortDescriptors = Book.defaultSortDescriptors }
        context.delete(books[1])
        let new = Book(context: context)
        new.isbn = "9"
        new.title = "Zoo"
        books[0].pages = 5
        context.processPendingChanges()
        try expect(source.log.first == "begin" && source.log.last == "end")
        try expect(
            source.log.dropFirst().dropLast().sorted() == ["delete 0.1", "insert 0.2", "update Always Coming Home"],
            "\(source.log)")
    }

    @MainActor static func validation() throws {
        let context = library()
        let book = Book(context: context)
        book.isbn = "1"
        book.pages = -1
        do {
            try context.save()
            try expect(false, "saved")
        } catch let error as NSError {
            try expect(error.domain == NSCocoaErrorDomain && error.code == NSValidationMissingMandatoryPropertyError, "\(error)")
        }
        book.title = "Invisible Cities"
        do {
            try context.save()
            try expect(false, "saved")
        } catch let error as NSError {
            try expect(
                error.code == NSValidationNumberTooSmallError && error.userInfo[NSValidationKeyErrorKey] as? String == "pages")
            try expect(error.userInfo[NSValidationObjectErrorKey] as? Book === book)
        }
        book.pages = 165
        try context.save()
        try expect(book.added != nil)
    }

    @MainActor static func transformer() async throws {
        ShelfMarkTransformer.register()
        try await inFolder { folder in
            let stack = CoreDataStack(modelName: "Library", storeURL: folder.appendingPathComponent("Library.sqlite"))
            try fill(stack.mainContext)
            let book = Book.fetch(in: stack.mainContext)[0]
            book.setValue("QA 76", forKey: "shelfMark")
            try stack.saveContext()
            let other = stack.newDerivedContext()
            let id = book.objectID
            let mark = await other.perform { other.object(with: id).value(forKey: "shelfMark") as? String }
            try expect(mark == "QA 76", mark ?? "nil")
        }
    }

    @MainActor static func editor() throws {
        let context = library()
        try fill(context)
        let book = Book.fetch(in: context) { $0.predicate = NSPredicate(format: "isbn = %@", "0") }[0]
        let editor = BookEditor(book: book, parent: context)
        editor.book.title = "The Dispossessed. An Ambiguous Utopia"
        try expect(book.title == "The Dispossessed")
        try editor.done()
        try expect(book.title == "The Dispossessed. An Ambiguous Utopia" && !context.hasChanges)
        editor.book.title = ""
        editor.cancel()
        try expect(editor.book.title == book.title && !context.hasChanges)
    }

    @MainActor static func undo() throws {
        let context = library()
        try fill(context)
        let editor = BookEditor(
            book: Book.fetch(in: context) { $0.predicate = NSPredicate(format: "isbn = %@", "0") }[0], parent: context)
        editor.change("Rename") { $0.title = "A" }
        editor.change("Lend") { $0.isLent = true }
        let manager = editor.childContext.undoManager
        try expect(manager?.undoActionName == "Lend" && manager?.canRedo == false)
        editor.childContext.undo()
        try expect(!editor.book.isLent && editor.book.title == "A")
        editor.childContext.undo()
        try expect(editor.book.title == "The Dispossessed" && manager?.canUndo == false)
        editor.childContext.redo()
        try expect(editor.book.title == "A" && manager?.redoActionName == "Lend")
    }

    @MainActor static func importer() async throws {
        let container = PersistenceController(inMemory: true).container
        let importer = BookImporter(container: container)
        try await importer.importBooks(
            from: Data(#"[{"isbn": "1", "title": "Ran", "pages": 3}, {"isbn": "2", "title": "Ikiru"}]"#.utf8))
        try await importer.importBooks(from: Data(#"[{"isbn": "1", "title": "Ran again", "pages": 4}]"#.utf8))
        let books = Book.fetch(in: container.viewContext) {
            $0.sortDescriptors = [NSSortDescriptor(key: "isbn", ascending: true)]
        }
        try expect(books.map { $0.title } == ["Ran again", "Ikiru"] && books.map { $0.pages } == [4, 0], "\(books)")
        let error = await withCheckedContinuation { continuation in
            importer.importBooks(from: Data("[{}]".utf8)) { continuation.resume(returning: $0) }
        }
        try expect(error is DecodingError && Book.count(in: container.viewContext) == 2)
    }

    @MainActor static func statistics() throws {
        let context = library()
        try fill(context)
        try expect(try context.pagesByAuthor() == ["Ursula K. Le Guin": 600])
        let books = try context.books(titled: ["LATHE", "home"])
        try expect(
            books.map { $0.title } == ["Always Coming Home", "The Lathe of Heaven"] && books[0].author?.sortedBooks.count == 3)
    }

    @MainActor static func saves() throws {
        let context = library()
        let observer = SaveObserver(context: context)
        try fill(context)
        try expect(observer.inserted == 3, "\(observer.inserted)")
    }

    @MainActor static func accessors() throws {
        let context = library()
        try fill(context)
        let author = Author.fetch(in: context)[0]
        let book = author.sortedBooks[0]
        author.removeFromBooks(book)
        try expect(book.author == nil && author.books?.count == 2)
        author.addToBooks([book] as NSSet)
        for heading in ["Two", "Three"] {
            let chapter = Chapter(context: context)
            chapter.heading = heading
            book.addToChapters(chapter)
        }
        let first = Chapter(context: context)
        first.heading = "One"
        book.insertIntoChapters(first, at: 0)
        book.removeFromChapters(at: 2)
        let headings = book.chapters?.array.compactMap { ($0 as? Chapter)?.heading }
        try expect(headings == ["One", "Two"], "\(headings ?? [])")
        book.price = NSDecimalNumber(string: "12.50")
        book.rating = 4.5
        try context.save()
        context.refreshAllObjects()
        try expect(book.price == 12.5 && book.rating == 4.5 && book.sectionTitle == "A" && author.books?.contains(book) == true)
    }

    @MainActor static func fetching() async throws {
        let context = library()
        try fill(context)
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "author.name BEGINSWITH[c] %@ AND pages IN %@", "ursula", [100, 200])
        try expect(try context.fetch(request).count == 2 && context.count(for: request) == 2)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        try expect(try context.fetch(ids).count == 3)
        let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
            precondition(result.finalResult?.count == 2)
        }
        _ = try context.execute(asynchronous)
        let subquery = NSFetchRequest<Author>(entityName: "Author")
        subquery.predicate = NSPredicate(format: "SUBQUERY(books, $b, $b.pages > %d).@count == %d", 150, 2)
        try expect(try context.fetch(subquery).count == 1)
    }
}
