import DataModel
package import Foundation
package import Storage
import Synchronization

/// Which readings of a store fail. Callable on every thread.
package final class ReadingFaults: Sendable {
    /// What a store is asked for.
    package enum Question: Hashable, Sendable {
        /// The values of a row, in whatever request.
        case row(Int64, of: String)
        /// The members of a relationship, for one owner or many.
        case members(String)
        /// Rows by their keys.
        case rows
        /// Rows by a predicate, or all of them.
        case search
    }

    package init() {}

    package static let error = NSError(
        domain: NSCocoaErrorDomain, code: CocoaError.fileReadUnknown.rawValue,
        userInfo: [NSLocalizedDescriptionKey: "disk I/O error"])

    private let answer = Mutex<@Sendable (Question) -> Bool>({ _ in false })

    /// Makes all readings fail for which the function is true.
    package func fail(_ isFailing: @escaping @Sendable (Question) -> Bool) { answer.withLock { $0 = isFailing } }

    package func fail(_ questions: Question...) { fail { questions.contains($0) } }
    package func failEverything() { fail { _ in true } }
    package func failNothing() { fail { _ in false } }

    package func isFailing(_ question: Question) -> Bool { answer.withLock(\.self)(question) }

    package func check(_ question: Question) throws { if isFailing(question) { throw Self.error } }
}

/// An engine whose readings fail when they are told to. What it saves it saves.
package final class FailingEngine: ForwardingEngine, @unchecked Sendable {
    // @unchecked Sendable: as the superclass; which readings fail is a `Sendable` of its own.
    private let faults: ReadingFaults

    package init(_ engine: any StorageEngine, _ faults: ReadingFaults) {
        self.faults = faults
        super.init(engine)
    }

    package override func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws {
        switch request.selection {
        case .all, .matching: try faults.check(.search)
        case .keys: try faults.check(.rows)
        case .members(let relationship, _): try faults.check(.members(relationship.name))
        }
        let checking = CheckingConsumer(consumer, faults)
        try engine.fetch(request, into: checking)
        if let error = checking.error { throw error }
    }

    package override func fetchMembers(of relationship: RelationshipLayout, owners: [Int64], into consumer: some MemberConsumer)
        throws
    {
        try faults.check(.members(relationship.name))
        let checking = CheckingMembers(consumer, faults)
        try engine.fetchMembers(of: relationship, owners: owners, into: checking)
        if let error = checking.error { throw error }
    }

    package override func count(_ request: RowRequest) throws -> Int {
        try faults.check(.search)
        return try engine.count(request)
    }
}

/// Hands rows on, and tells of those that can't be read.
private class CheckingConsumer<Consumer: RowConsumer>: RowConsumer {
    fileprivate let consumer: Consumer
    private let faults: ReadingFaults
    private(set) var error: (any Error)?

    init(_ consumer: Consumer, _ faults: ReadingFaults) {
        self.consumer = consumer
        self.faults = faults
    }

    func wantsValues(of key: RowKey) -> Bool { error == nil && consumer.wantsValues(of: key) }

    func take(_ row: Row, for key: RowKey) {
        guard error == nil else { return }
        guard faults.isFailing(.row(key.key, of: row.layout.name)) else { return consumer.take(row, for: key) }
        do { try consumer.takeFailure(ReadingFaults.error, for: key) } catch { self.error = error }
    }

    func takeFailure(_ error: any Error, for key: RowKey) throws { try consumer.takeFailure(error, for: key) }

    func takeKeys(_ keys: UnsafeBufferPointer<Int64>, entity: Int) { consumer.takeKeys(keys, entity: entity) }
}

private final class CheckingMembers<Consumer: MemberConsumer>: CheckingConsumer<Consumer>, MemberConsumer {
    func beginMembers(of owner: Int64) { if error == nil { consumer.beginMembers(of: owner) } }
}
