import DataModel
import Foundation

/// What the object graph asks of a store's engine. An engine knows rows and keys, never objects.
///
/// An engine is not synchronised: the coordinator that owns it makes one call at a time, from any thread.
/// Errors are `NSError`s in `NSCocoaErrorDomain`, as Core Data's API throws them.
package protocol StorageEngine: AnyObject, Sendable {
    /// The store's UUID, upper case.
    var identifier: String { get }

    /// `NSStoreType`, `NSStoreUUID`, the model's version hashes, and what the application added.
    var metadata: [String: Any] { get }

    /// Replaces what the application may change in the metadata; durable with the next `save`.
    func setMetadata(_ metadata: [String: Any])

    /// Whether the engine takes predicates, and sort keys with paths or text comparisons. Others must not be given any.
    var evaluatesQueries: Bool { get }

    /// Finds rows and hands them to `consumer` in result order.
    func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws

    /// Finds the destinations of a to-many relationship for several owners, with one look into the store.
    func fetchMembers(of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer) throws

    /// The number of rows that `fetch` would find.
    func count(_ request: RowRequest) throws -> Int

    /// Runs `body` in one write transaction, which commits if `body` returns and is undone if it throws.
    func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result

    /// Ends all use of the store's files.
    func close()
}
