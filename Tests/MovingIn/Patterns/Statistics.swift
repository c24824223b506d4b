import CoreData
import Foundation

extension NSManagedObjectContext {
    /// Pages by author, computed by the store.
    func pagesByAuthor() throws -> [String: Int] {
        let sum = NSExpressionDescription()
        sum.name = "sum"
        sum.expression = NSExpression(forFunction: "sum:", arguments: [NSExpression(forKeyPath: "pages")])
        sum.expressionResultType = .integer64AttributeType
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToGroupBy = ["author.name"]
        request.propertiesToFetch = ["author.name", sum]
        let pairs = try fetch(request).compactMap { row -> (String, Int)? in
            guard let name = row["author.name"] as? String, let pages = row["sum"] as? Int else { return nil }
            return (name, pages)
        }
        return Dictionary(uniqueKeysWithValues: pairs)
    }

    /// Titles with their authors loaded at once, so that reading names asks the store no more.
    func books(titled words: [String]) throws -> [Book] {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        let predicates = words.map { NSPredicate(format: "title CONTAINS[cd] %@", $0) }
        request.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: predicates)
        request.sortDescriptors = Book.defaultSortDescriptors
        request.relationshipKeyPathsForPrefetching = [#keyPath(Book.author)]
        return try fetch(request)
    }
}

/// Hears what is saved, as apps did before there were queries that follow.
final class SaveObserver: @unchecked Sendable {
    private var token: NSObjectProtocol?
    private(set) var inserted = 0

    init(context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { [unowned self] notification in
            let objects = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
            self.inserted += objects.filter { $0 is Book }.count
        }
    }

    deinit {
        if let token = token { NotificationCenter.default.removeObserver(token) }
    }
}
