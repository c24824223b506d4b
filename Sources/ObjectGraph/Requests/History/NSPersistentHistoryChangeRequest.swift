import DataModel
public import Foundation
import Storage

/// Reads or deletes the history of what was saved to stores: by this context, by others, and by other processes.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
///     context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
/// }
/// ```
///
/// A store has a history if it was ever added with ``NSPersistentHistoryTrackingKey``. The tables are Apple's. Requests are
/// answered by SQLite stores that have one; others are not asked. The oldest transaction comes first, and the stores of a
/// coordinator follow each other.
///
/// Changes to entities that the model does not have are left out. A request belongs to one thread at a time.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    private enum Task {
        case fetchAfterDate(Date)
        case fetchAfterToken(NSPersistentHistoryToken?)
        case fetch(NSFetchRequest<any NSFetchRequestResult>)
        case deleteBeforeDate(Date)
        case deleteBeforeToken(NSPersistentHistoryToken?)
    }

    private let task: Task

    /// What ``NSManagedObjectContext/execute(_:)`` gives. The transactions with their changes by default. For a request that
    /// deletes, only `count` has a meaning of its own: how many transactions are gone.
    public var resultType = NSPersistentHistoryResultType.transactionsAndChanges

    /// The token that the request was made with.
    public var token: NSPersistentHistoryToken? {
        switch task {
        case .fetchAfterToken(let token), .deleteBeforeToken(let token): token
        case .fetchAfterDate, .fetch, .deleteBeforeDate: nil
        }
    }

    /// Which of the transactions, or of the changes, are wanted: a request for the entity of
    /// ``NSPersistentHistoryTransaction`` or ``NSPersistentHistoryChange``, whose predicate, sort descriptors, offset and
    /// limit are respected. Requests that delete don't have one.
    public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    private init(_ task: Task) {
        self.task = task
        super.init()
        if case .fetch(let request) = task { fetchRequest = request }
    }

    /// A request for what was saved after a point in time, by the clocks of those who saved.
    public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest { .init(.fetchAfterDate(date)) }

    /// A request for what was saved after a place in the history; everything for nil.
    ///
    /// Executing it throws 134301 if transactions after the token were deleted already, and for a token that no store of the
    /// context can have given.
    public class func fetchHistory(after token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        .init(.fetchAfterToken(token))
    }

    /// A request for what was saved after a transaction; everything for nil.
    public class func fetchHistory(after transaction: NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest {
        .init(.fetchAfterToken(transaction?.token))
    }

    /// A request for the transactions or changes that a fetch request finds.
    ///
    /// - Parameter fetchRequest: See ``fetchRequest``.
    public class func fetchHistory(withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>)
        -> NSPersistentHistoryChangeRequest
    { .init(.fetch(fetchRequest)) }

    /// A request that deletes all transactions before the first one that is not older than a point in time.
    public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest { .init(.deleteBeforeDate(date)) }

    /// A request that deletes what comes before a place in the history, but not the transaction at that place. Nothing is
    /// deleted for nil.
    public class func deleteHistory(before token: NSPersistentHistoryToken?) -> NSPersistentHistoryChangeRequest {
        .init(.deleteBeforeToken(token))
    }

    /// A request that deletes what comes before a transaction. Nothing is deleted for nil.
    public class func deleteHistory(before transaction: NSPersistentHistoryTransaction?) -> NSPersistentHistoryChangeRequest {
        .init(.deleteBeforeToken(transaction?.token))
    }

    /// A request for history.
    public override var requestType: NSPersistentStoreRequestType { .historyRequestType }

    /// A request that asks the same.
    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentHistoryChangeRequest(task)
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<any NSFetchRequestResult>
        copy.affectedStores = affectedStores
        return copy
    }
}

extension NSPersistentHistoryChangeRequest: ExecutableRequest {
    func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        guard let coordinator = context.persistentStoreCoordinator else {
            throw NSError.coreData(
                NSCoreDataError, "History can't be read: \(context) has no persistent store coordinator. Set one before")
        }
        let stores = try HistoryStores(coordinator, affectedStores)
        switch task {
        case .deleteBeforeDate(let date): return deleted(try stores.delete { _ in .beforeDate(date) })
        case .deleteBeforeToken(let token):
            return deleted(try stores.delete { token?.numbers[$0].map { .beforeNumber($0) } })
        case .fetchAfterDate(let date): return try fetched(HistoryReading(stores) { _ in .afterDate(date) })
        case .fetch: return try fetched(HistoryReading(stores) { _ in .all })
        case .fetchAfterToken(let token):
            guard let token else { return try fetched(HistoryReading(stores) { _ in .all }) }
            return try fetched(HistoryReading(stores) { try $0.range(after: token) })
        }
    }

    private func deleted(_ count: Int) -> NSPersistentHistoryResult {
        resultType == .count ? NSPersistentHistoryResult(count, .count) : NSPersistentHistoryResult(true, .statusOnly)
    }

    private func fetched(_ reading: HistoryReading) throws -> NSPersistentHistoryResult {
        let selection = try HistorySelection(fetchRequest)
        let result: Any
        switch resultType {
        case .statusOnly:
            _ = try selection.transactions(reading)
            result = true
        case .count: result = try selection.count(reading)
        case .transactionsOnly: result = try selection.transactions(reading).map { $0.with(nil) }
        case .transactionsAndChanges: result = try selection.transactions(reading)
        case .changesOnly: result = try selection.changes(reading)
        case .objectIDs:
            var known: Set<NSManagedObjectID> = []
            result = try selection.changes(reading).map(\.changedObjectID).filter { known.insert($0).inserted }
        }
        return NSPersistentHistoryResult(result, resultType)
    }
}
