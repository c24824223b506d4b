import DataModel
import Foundation

/// What fetch requests for history may be for. No store has these entities: their descriptions only carry the names.
enum HistoryEntity: String, CaseIterable {
    case transaction = "TRANSACTION"
    case change = "CHANGE"

    /// The keys that predicates and sort descriptors may use first.
    var keys: Set<String> {
        switch self {
        case .transaction:
            ["author", "bundleID", "contextName", "processID", "storeID", "timestamp", "token", "transactionNumber", "changes"]
        case .change: ["changeID", "changeType", "changedEntity", "changedID", "changedObjectID", "transaction"]
        }
    }

    // A description of its own each time: descriptions are not Sendable.
    var description: NSEntityDescription {
        let entity = NSEntityDescription()
        entity.name = rawValue
        return entity
    }

    var fetchRequest: NSFetchRequest<any NSFetchRequestResult> {
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: rawValue)
        request.entity = description
        return request
    }

    /// - Throws: 134060 for a request for anything else.
    init(_ request: NSFetchRequest<any NSFetchRequestResult>) throws {
        guard let entity = Self.allCases.first(where: { $0.rawValue == request.entityName }) else {
            throw NSError.coreData(
                NSCoreDataError,
                "History can't be fetched with a request for “\(request.entityName ?? "")”: its entity must be that of "
                    + "NSPersistentHistoryTransaction or NSPersistentHistoryChange")
        }
        self = entity
    }
}
