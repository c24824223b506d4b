import DataModel
public import Foundation
public import Predicates

/// What a fetch request finds, as a part of a predicate: `FETCH(request, context, countOnly)` in a format string.
///
/// ```swift
/// let old = NSFetchRequest<Director>(entityName: "Director")
/// old.predicate = NSPredicate(format: "born < 1920")
/// let directors = NSFetchRequestExpression.expression(
///     forFetch: NSExpression(forConstantValue: old), context: NSExpression(forConstantValue: context), countOnly: false)
/// request.predicate = NSPredicate(format: "director IN %@", directors)
/// ```
///
/// In the predicate of a fetch, it is executed once, before that fetch, if its request and its context are constants.
/// SQLite stores then look for its results as for any list of constants. Live queries keep what it found at their last
/// `performFetch()` or `refetch()`. In a predicate or expression that is evaluated by itself, it is executed at each
/// evaluation, which must happen on the context's queue.
///
/// The value is an array for requests for objects or IDs, the values of the column for a request for dictionaries with
/// a single column, and a number for a request for a count. Executing throws 134060 if the request is not a fetch
/// request, if the context is not a context, and for requests that contain each other.
///
/// Its `expressionType` is `.function`: Swift's enumeration has no room for Apple's `NSFetchRequestExpressionType`.
open class NSFetchRequestExpression: Predicates._Expression {
    /// An expression whose value is what a request finds.
    ///
    /// - Parameters:
    ///   - fetch: An expression for an `NSFetchRequest`.
    ///   - context: An expression for an `NSManagedObjectContext`.
    ///   - countFlag: Whether the value is the number of objects.
    open class func expression(
        forFetch fetch: _NSExpression, context: _NSExpression, countOnly countFlag: Bool
    ) -> _NSExpression {
        make(.fetch(request: fetch.node, context: context.node, countOnly: countFlag))
    }

    private var parts: (request: ExpressionNode, context: ExpressionNode, countOnly: Bool) {
        guard case .fetch(let request, let context, let countOnly) = node else { fatalError("\(self) is not a fetch") }
        return (request, context, countOnly)
    }

    /// Whether the value is the number of objects that the request would find.
    open var isCountOnlyRequest: Bool { parts.countOnly }

    /// The expression for the request.
    open var requestExpression: _NSExpression { _NSExpression(parts.request) }

    /// The expression for the context.
    open var contextExpression: _NSExpression { _NSExpression(parts.context) }
}

extension NSManagedObjectContext: PredicateFetching {
    /// The greatest number of requests inside of each other.
    private static let greatestFetchDepth = 32

    package final func fetch(_ request: Any?, countOnly: Bool) throws -> Any? {
        try value(ofFetch: request, countOnly: countOnly, asIDs: false)
    }

    /// - Parameter asIDs: whether IDs may stand for objects.
    final func value(ofFetch request: Any?, countOnly: Bool, asIDs: Bool) throws -> Any? {
        guard let request = request as? any AnyFetchRequest else {
            throw InvalidPredicateError(.type, "FETCH needs a fetch request, not \(request.map { "\(type(of: $0))" } ?? "nil")")
        }
        var settings = request.settings
        guard fetches.depth < Self.greatestFetchDepth else {
            throw InvalidPredicateError(
                .unsupported, "A fetch request for \(settings.entityName ?? "nothing") is a part of its own predicate")
        }
        fetches.depth += 1
        defer { fetches.depth -= 1 }
        if asIDs, settings.resultType == NSFetchRequestResultType.managedObjectResultType.rawValue {
            settings.resultType = NSFetchRequestResultType.managedObjectIDResultType.rawValue
            settings.includesPropertyValues = false
            settings.returnsObjectsAsFaults = true
        }
        let copy = NSFetchRequest<any NSFetchRequestResult>(settings, affectedStores: request.affectedStores)
        if countOnly { return try count(for: copy) }
        let found = try fetch(copy)
        switch copy.resultType {
        case .countResultType: return found.first
        case .dictionaryResultType where settings.propertiesToFetch?.count == 1:
            return found.compactMap { ($0 as? [String: Any])?.first?.value }
        default: return found
        }
    }
}

extension NSPredicate {
    /// The predicate with constants in place of what FETCH expressions find now.
    ///
    /// - Parameter entity: The entity of the fetch whose predicate it is, for messages.
    func executingFetches(entity: String) throws -> NSPredicate {
        let node = PredicateNode(self)
        guard node.hasFetches else { return self }
        do {
            return try node.replacingFetches { request, context, countOnly in
                guard let context = context as? NSManagedObjectContext else {
                    throw InvalidPredicateError(
                        .type, "FETCH needs a managed object context, not \(context.map { "\(type(of: $0))" } ?? "nil")")
                }
                return try context.value(ofFetch: request, countOnly: countOnly, asIDs: true)
            }.predicate
        } catch let error as InvalidPredicateError {
            throw NSError.invalidPredicate(error.found(in: PredicatePrinter.print(node)), entity: entity)
        }
    }
}
