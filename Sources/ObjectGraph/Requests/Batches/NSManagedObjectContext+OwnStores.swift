import DataModel
import Foundation

/// Batch requests in stores that execute requests themselves.
extension NSManagedObjectContext {
    /// What came of a batch request for such a store; nil for other requests and other stores.
    final func resultOfOwnStore(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult? {
        guard request is any BatchRequest, let coordinator = persistentStoreCoordinator else { return nil }
        let stores = request.affectedStores ?? coordinator.persistentStores
        guard let store = stores.first as? NSIncrementalStore, stores.count == 1 else { return nil }
        let result = try store.asked(by: self) { try store.execute(request, with: self) }
        if let result = result as? NSPersistentStoreResult { return result }
        let outcome = OwnOutcome(store: store, result: result)
        switch request {
        case let request as NSBatchDeleteRequest:
            let type = request.resultType
            return NSBatchDeleteResult(
                type == .resultTypeObjectIDs ? try outcome.ids : [], count: type == .resultTypeCount ? try outcome.count : 0, type
            )
        case let request as NSBatchUpdateRequest:
            let type = request.resultType
            return NSBatchUpdateResult(
                type == .updatedObjectIDsResultType ? try outcome.ids : [],
                count: type == .updatedObjectsCountResultType ? try outcome.count : 0, type)
        case let request as NSBatchInsertRequest:
            let type = request.resultType
            return NSBatchInsertResult(
                type == .objectIDs ? try outcome.ids : [], count: type == .count ? try outcome.count : 0, type)
        default: throw outcome.failure("an NSPersistentStoreResult")
        }
    }
}

/// What a program's store has given for a batch request.
private struct OwnOutcome {
    let store: NSIncrementalStore
    let result: Any

    var ids: [NSManagedObjectID] {
        get throws {
            guard let ids = GivenValues.elements(result) as? [NSManagedObjectID] else {
                throw failure("an array of NSManagedObjectIDs")
            }
            return ids
        }
    }

    var count: Int {
        get throws {
            guard let number = WholeNumber(result), number.given == nil, let count = Int(exactly: number.nearest) else {
                throw failure("a whole number")
            }
            return count
        }
    }

    func failure(_ needed: String) -> NSError {
        .coreData(
            NSPersistentStoreOperationError,
            "\(Swift.type(of: store)) gave a \(Swift.type(of: result)) for a batch request, whose result type needs \(needed)",
            [NSAffectedStoresErrorKey: [store]])
    }
}
