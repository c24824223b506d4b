public import DataModel
public import Foundation
public import Predicates
import Storage

/// One save, or one batch request, as the history of a store has it.
///
/// Every thread may use it.
public final class NSPersistentHistoryTransaction: NSObject, NSCopying, @unchecked Sendable {
    // @unchecked Sendable: everything is constant. Descriptions of entities, which changes name, don't change once in use.
    private let row: HistoryTransaction

    /// The UUID of the store.
    public let storeID: String

    /// The changes, one for each object. Nil if they were not asked for.
    public let changes: [NSPersistentHistoryChange]?

    init(_ row: HistoryTransaction, storeID: String, changes: [NSPersistentHistoryChange]?) {
        self.row = row
        self.storeID = storeID
        self.changes = changes
        super.init()
    }

    /// The same transaction with other changes.
    func with(_ changes: [NSPersistentHistoryChange]?) -> NSPersistentHistoryTransaction {
        NSPersistentHistoryTransaction(row, storeID: storeID, changes: changes)
    }

    /// When it was saved, by the clock of who saved it.
    public var timestamp: Date { row.date }

    /// Its number in the store. Later transactions have greater numbers.
    public var transactionNumber: Int64 { row.number }

    /// The `transactionAuthor` of the context that saved it.
    public var author: String? { row.author }

    /// The `name` of the context that saved it.
    public var contextName: String? { row.contextName }

    /// The bundle identifier of the program that saved it; empty if it had none.
    public var bundleID: String { row.bundleID ?? "" }

    /// The name of the process that saved it; empty if it is not known.
    public var processID: String { row.processID ?? "" }

    /// The place of the transaction in the history: what comes after it is newer.
    public var token: NSPersistentHistoryToken { NSPersistentHistoryToken([storeID: row.number]) }

    /// A notification like the one of the save, with the IDs of the changed objects. Pass it to
    /// ``NSManagedObjectContext/mergeChanges(fromContextDidSave:)``. Without ``changes`` it has none.
    public func objectIDNotification() -> Notification {
        var ids: [NSPersistentHistoryChangeType: Set<NSManagedObjectID>] = [:]
        for change in changes ?? [] { ids[change.changeType, default: []].insert(change.changedObjectID) }
        var info: [AnyHashable: Any] = [:]
        typealias Key = NSManagedObjectContext.NotificationKey
        for (type, key) in [
            (NSPersistentHistoryChangeType.insert, Key.insertedObjectIDs), (.update, .updatedObjectIDs),
            (.delete, .deletedObjectIDs),
        ] {
            if let ids = ids[type] { info[key.rawValue] = ids }
        }
        return Notification(name: .NSManagedObjectContextDidSaveObjectIDs, object: nil, userInfo: info)
    }

    /// The transaction itself, since transactions don't change.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPersistentHistoryTransaction else { return false }
        return other.storeID == storeID && other.transactionNumber == transactionNumber
    }

    public override var hash: Int { transactionNumber.hashValue }

    public override var description: String {
        "<NSPersistentHistoryTransaction \(transactionNumber) of \(timestamp), author \(author ?? "nil"), "
            + "\(changes.map { "\($0.count) changes" } ?? "changes not fetched")>"
    }

    // MARK: Fetch requests

    /// The entity of fetch requests that choose transactions, with the attributes `author`, `bundleID`, `contextName`,
    /// `processID`, `timestamp`, `token` and `transactionNumber`.
    public class var entityDescription: NSEntityDescription? { HistoryEntity.transaction.description }

    /// The same as ``entityDescription``, for every context.
    public class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? { entityDescription }

    /// A new fetch request for ``NSPersistentHistoryChangeRequest/fetchHistory(withFetch:)``.
    public class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? { HistoryEntity.transaction.fetchRequest }
}

extension NSPersistentHistoryTransaction: KeyValueCoding {
    /// The value of an attribute that fetch requests have; nil for other keys.
    public func value(forKey key: String) -> Any? {
        switch key {
        case "author": author
        case "bundleID": bundleID
        case "contextName": contextName
        case "processID": processID
        case "storeID": storeID
        case "timestamp": timestamp
        case "token": token
        case "transactionNumber": transactionNumber
        case "changes": changes
        default: nil
        }
    }
}
