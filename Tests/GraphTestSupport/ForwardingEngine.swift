import DataModel
package import Foundation
package import Storage

/// An engine that hands everything on to another one. Subclasses change the answers.
///
/// It has neither snapshots nor a copy of its own, and computes no columns: what a subclass changes would be passed by
/// there.
package class ForwardingEngine: StorageEngine, @unchecked Sendable {
    // @unchecked Sendable: the store makes one call at a time, as it does to the engine itself.
    package let engine: any StorageEngine

    package init(_ engine: any StorageEngine) { self.engine = engine }

    package var identifier: String { engine.identifier }
    package var metadata: [String: Any] { engine.metadata }
    package func setMetadata(_ metadata: [String: Any]) { engine.setMetadata(metadata) }
    package func evaluates(_ condition: RowPredicate) -> Bool { engine.evaluates(condition) }
    package func evaluates(_ key: RowRequest.SortKey) -> Bool { engine.evaluates(key) }
    package var takesBatchRequests: Bool { engine.takesBatchRequests }
    package var allowsTransients: Bool { engine.allowsTransients }
    package var columns: (any ColumnSource)? { nil }
    package func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result { try engine.save(body) }
    package func close() { engine.close() }
    package func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws {
        try engine.fetch(request, into: consumer)
    }

    package func fetchMembers(of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer) throws {
        try engine.fetchMembers(of: relationship, owners: owners, into: consumer)
    }

    package func count(_ request: RowRequest) throws -> Int { try engine.count(request) }
    package func externalValue(_ file: UUID) throws -> Data { try engine.externalValue(file) }
}
