import CoreData
import Foundation

/// A search that people put together: predicates made of expressions.
struct Search {
    private var conditions: [NSComparisonPredicate] = []

    mutating func add(_ key: String, _ type: NSComparisonPredicate.Operator, _ value: Any?) {
        let condition = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: key), rightExpression: NSExpression(forConstantValue: value),
            modifier: .direct, type: type, options: type == .contains ? [.caseInsensitive, .diacriticInsensitive] : [])
        conditions.append(condition)
    }

    var predicate: NSPredicate { return NSCompoundPredicate(andPredicateWithSubpredicates: conditions) }

    /// What the search asks for, by key.
    var constants: [String: Any?] {
        return Dictionary(
            conditions.map { condition -> (String, Any?) in
                let (left, right): (NSExpression, NSExpression) = (condition.leftExpression, condition.rightExpression)
                return (left.keyPath, right.constantValue)
            }, uniquingKeysWith: { $1 })
    }

    /// Values of other types in formats.
    static func added(between start: Date, and end: Date, not ids: [NSManagedObjectID]) -> NSPredicate {
        return NSPredicate(
            format: "added BETWEEN {%@, %@} AND NOT (SELF IN %@)", start as CVarArg, end as CVarArg, ids as CVarArg)
    }

    static func of(_ author: Author) -> NSPredicate {
        return withVaList([author]) { NSPredicate(format: "author == %@", arguments: $0) }
    }
}

extension NSManagedObjectContext {
    /// Objects are asked for in Swift's predicates by their IDs.
    func titles(of author: Author) throws -> [String] {
        let id = author.objectID
        return try fetch(Book.self, where: #Predicate { $0.author?.objectID == id }).map { $0.title }.sorted()
    }
}
