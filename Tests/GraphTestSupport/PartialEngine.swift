import DataModel
import Foundation
import Storage

/// An engine that says of some parts of queries only that it can evaluate them, and stops the test when it is given others.
package final class PartialEngine: StorageEngine, @unchecked Sendable {
    // @unchecked Sendable: the coordinator makes one call at a time, as it does to the engine itself.
    package enum Share: Sendable {
        case nothing, half
    }

    private let engine: any StorageEngine
    private let share: Share

    package init(_ engine: any StorageEngine, _ share: Share) {
        self.engine = engine
        self.share = share
    }

    /// The same answer for the same part, in every run.
    private func knows(_ part: Any) -> Bool {
        guard share == .half else { return false }
        return "\(part)".utf8.reduce(into: UInt32(2_166_136_261)) { $0 = ($0 ^ UInt32($1)) &* 16_777_619 } % 2 == 0
    }

    package func evaluates(_ condition: RowPredicate) -> Bool { knows(condition) && engine.evaluates(condition) }
    package func evaluates(_ key: RowRequest.SortKey) -> Bool { knows(key) && engine.evaluates(key) }
    package var takesBatchRequests: Bool { engine.takesBatchRequests }
    package var allowsTransients: Bool { engine.allowsTransients }
    package var columns: (any ColumnSource)? { share == .half ? self : nil }

    package var identifier: String { engine.identifier }
    package var metadata: [String: Any] { engine.metadata }
    package func setMetadata(_ metadata: [String: Any]) { engine.setMetadata(metadata) }
    package func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result { try engine.save(body) }
    package func close() { engine.close() }

    private func check(_ request: RowRequest) {
        for key in request.sortKeys { precondition(knows(key), "the engine can't sort by \(key)") }
        switch request.predicate {
        case nil, .constant: break
        case .some where share == .half: break
        case let predicate?: preconditionFailure("the engine can't evaluate \(predicate)")
        }
    }

    package func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws {
        check(request)
        try engine.fetch(request, into: consumer)
    }

    package func fetchMembers(of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer) throws {
        try engine.fetchMembers(of: relationship, owners: owners, into: consumer)
    }

    package func count(_ request: RowRequest) throws -> Int {
        check(request)
        return try engine.count(request)
    }

    package func externalValue(_ file: UUID) throws -> Data { try engine.externalValue(file) }
}

extension PartialEngine: ColumnSource {
    package func evaluates(_ column: RowExpression) -> Bool { knows(column) && engine.columns?.evaluates(column) == true }

    package func fetchColumns(_ request: ColumnRequest, _ take: ([RowValue?]) -> Void) throws {
        check(request.rows)
        for column in request.columns + request.groups { precondition(knows(column), "the engine can't compute \(column)") }
        try engine.columns?.fetchColumns(request, take)
    }
}
