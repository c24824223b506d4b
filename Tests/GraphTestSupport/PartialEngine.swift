import DataModel
import Foundation
package import Storage

/// An engine that says of some parts of queries only that it can evaluate them, and stops the test when it is given others.
package final class PartialEngine: ForwardingEngine, @unchecked Sendable {
    // @unchecked Sendable: the store makes one call at a time, as it does to the engine itself.
    package enum Share: Sendable {
        case nothing, half
    }

    private let share: Share

    package init(_ engine: any StorageEngine, _ share: Share) {
        self.share = share
        super.init(engine)
    }

    /// The same answer for the same part, in every run.
    private func knows(_ part: Any) -> Bool {
        guard share == .half else { return false }
        return "\(part)".utf8.reduce(into: UInt32(2_166_136_261)) { $0 = ($0 ^ UInt32($1)) &* 16_777_619 } % 2 == 0
    }

    package override func evaluates(_ condition: RowPredicate) -> Bool { knows(condition) && engine.evaluates(condition) }
    package override func evaluates(_ key: RowRequest.SortKey) -> Bool { knows(key) && engine.evaluates(key) }
    package override var columns: (any ColumnSource)? { share == .half ? self : nil }

    private func check(_ request: RowRequest) {
        for key in request.sortKeys { precondition(knows(key), "the engine can't sort by \(key)") }
        switch request.predicate {
        case nil, .constant: break
        case .some where share == .half: break
        case let predicate?: preconditionFailure("the engine can't evaluate \(predicate)")
        }
    }

    package override func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws {
        check(request)
        try engine.fetch(request, into: consumer)
    }

    package override func count(_ request: RowRequest) throws -> Int {
        check(request)
        return try engine.count(request)
    }
}

extension PartialEngine: ColumnSource {
    package func evaluates(_ column: RowExpression) -> Bool { knows(column) && engine.columns?.evaluates(column) == true }

    package func fetchColumns(_ request: ColumnRequest, _ take: ([RowValue?]) -> Void) throws {
        check(request.rows)
        for column in request.columns + request.groups { precondition(knows(column), "the engine can't compute \(column)") }
        try engine.columns?.fetchColumns(request, take)
    }
}
