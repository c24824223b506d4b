import DataModel
import Foundation
import Storage

/// Stands for the engine of a store that no coordinator has added.
final class DetachedEngine: StorageEngine {
    let identifier = ""
    var metadata: [String: Any] { [:] }

    private var failure: NSError {
        .coreData(NSPersistentStoreOperationError, "The store was not added to a coordinator, so nothing can be read or saved")
    }

    func setMetadata(_ metadata: [String: Any]) {}
    func evaluates(_ condition: RowPredicate) -> Bool { false }
    func evaluates(_ key: RowRequest.SortKey) -> Bool { false }
    func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws { throw failure }
    func fetchMembers(of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer) throws {
        throw failure
    }
    func count(_ request: RowRequest) throws -> Int { throw failure }
    func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result { throw failure }
    func close() {}
}
