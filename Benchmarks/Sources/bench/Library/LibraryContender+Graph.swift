import BenchmarkKit
import Foundation
import OpenCoreData

// MARK: - Work in the object graph

extension LibraryContender {
    /// Opens a store of shelves and books, or makes it.
    static func openShelves(_ url: URL) throws -> NSPersistentContainer {
        let container = try NSPersistentContainer(name: "Shelves", entities: Shelf.self, Book.self)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        try container.loadPersistentStores()
        return container
    }

    func fireFaults(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let request = NSFetchRequest<Movie>(entityName: "Movie")
        request.includesPropertyValues = false
        let movies = try container.viewContext.fetch(request)
        var checksum = Checksum()
        meter.measure {
            for movie in movies { checksum.add(movie.duration) }
        }
        return Outcome(units: movies.count, checksum: checksum)
    }

    func assignInverses(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.openShelves(URL(fileURLWithPath: "/dev/null"))
        let context = container.viewContext
        let shelves = (0..<size.people).map { Shelf(context: context, name: "\($0)") }
        let books = (0..<size.movies).map { Book(context: context, number: Int64($0)) }
        try context.save()
        meter.measure {
            for (index, book) in books.enumerated() { book.shelf = shelves[index % shelves.count] }
            context.processPendingChanges()
        }
        var checksum = Checksum()
        for shelf in shelves { checksum.add(shelf.books.count) }
        return Outcome(units: books.count, checksum: checksum)
    }

    func insertMembers(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.openShelves(URL(fileURLWithPath: "/dev/null"))
        let context = container.viewContext
        let shelf = Shelf(context: context, name: "all")
        for number in 0..<size.movies { Book(context: context, number: Int64(number)).shelf = shelf }
        try context.save()
        var checksum = Checksum()
        checksum.add(shelf.books.count)
        let new = (0..<50).map { Book(context: context, number: Int64($0)) }
        meter.measure {
            for book in new { shelf.books.insert(book) }
        }
        checksum.add(shelf.books.count)
        return Outcome(units: 1, checksum: checksum)
    }

    func postChanges(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let movies = try allMovies(context)
        nonisolated(unsafe) var updated = 0
        let observer = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.didChangeObjectsNotification, object: context, queue: nil
        ) { updated += ($0.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
        defer { NotificationCenter.default.removeObserver(observer) }
        meter.measure {
            for (index, movie) in movies.enumerated() { movie.rating = UpdateWorkload.rating(index) }
            context.processPendingChanges()
        }
        var checksum = Checksum()
        checksum.add(updated)
        return Outcome(units: movies.count, checksum: checksum)
    }

    func undo(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        let movies = try allMovies(context)
        manager.beginUndoGrouping()
        for movie in movies { movie.year = -1 }
        context.processPendingChanges()
        manager.endUndoGrouping()
        meter.measure {
            context.undo()
            context.processPendingChanges()
        }
        var checksum = Checksum()
        for movie in movies { checksum.add(movie.year) }
        return Outcome(units: movies.count, checksum: checksum)
    }

    func saveChild(_ stores: PreparedStores, _ meter: inout Meter) throws -> Outcome {
        let container = try Self.open(stores.full)
        defer { withExtendedLifetime(container) {} }
        let parent = container.viewContext
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = parent
        let movies = try allMovies(child)
        for (index, movie) in movies.enumerated() { movie.rating = UpdateWorkload.rating(index) }
        try meter.measure { try child.save() }
        var checksum = Checksum()
        checksum.add(parent.updatedObjects.count)
        return Outcome(units: movies.count, checksum: checksum)
    }
}
