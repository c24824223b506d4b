import DataModel
import Foundation
import Predicates

/// Takes out of a history what a fetch request asks for.
struct HistorySelection {
    private let request: NSFetchRequest<any NSFetchRequestResult>?
    private let entity: HistoryEntity?

    /// - Throws: 134060 for a request for another entity, or for keys that the entity does not have.
    init(_ request: NSFetchRequest<any NSFetchRequestResult>?) throws {
        self.request = request
        entity = try request.map(HistoryEntity.init)
        guard let request, let entity else { return }
        for path in request.predicate.map({ PredicateNode($0).keyPaths }) ?? [] { try Self.check(path, of: entity) }
        for descriptor in request.sortDescriptors ?? [] {
            guard let key = descriptor.key else { continue }
            try Self.check(key.split(separator: ".", omittingEmptySubsequences: false).map(String.init), of: entity)
        }
    }

    private static func check(_ path: [String], of entity: HistoryEntity) throws {
        guard let key = path.first else { return }
        guard entity.keys.contains(key) else {
            throw NSError.coreData(
                NSCoreDataError,
                "The history request has the key “\(path.joined(separator: "."))”, which \(entity.rawValue) does not have. It has "
                    + entity.keys.sorted().joined(separator: ", "))
        }
        switch (entity, key) {
        case (.change, "transaction"): try check(Array(path.dropFirst()), of: .transaction)
        case (.transaction, "changes"): try check(Array(path.dropFirst()), of: .change)
        default: break
        }
    }

    func count(_ reading: HistoryReading) throws -> Int {
        entity == .change
            ? try changes(reading).count : try chosen(reading.transactions(withChanges: needsChanges)).count
    }

    /// Transactions with their changes. If changes were asked for, these are the transactions that made them, with these alone.
    func transactions(_ reading: HistoryReading) throws -> [NSPersistentHistoryTransaction] {
        guard entity == .change else { return try chosen(reading.transactions(withChanges: true)) }
        var found: [NSPersistentHistoryTransaction: [NSPersistentHistoryChange]] = [:]
        var order: [NSPersistentHistoryTransaction] = []
        for change in try changes(reading) {
            guard let transaction = change.transaction else { continue }
            if found[transaction] == nil { order.append(transaction) }
            found[transaction, default: []].append(change)
        }
        return order.map { $0.with(found[$0]) }
    }

    func changes(_ reading: HistoryReading) throws -> [NSPersistentHistoryChange] {
        guard entity == .transaction else { return try chosen(reading.changes()) }
        return try chosen(reading.transactions(withChanges: true)).flatMap { $0.changes ?? [] }
    }

    /// Whether the predicate looks at the changes of transactions.
    private var needsChanges: Bool {
        request?.predicate.map { PredicateNode($0).keyPaths.contains { $0.first == "changes" } } ?? false
    }

    private func chosen<Element: AnyObject>(_ elements: [Element]) throws -> [Element] {
        guard let request else { return elements }
        var result =
            try request.predicate.map { predicate in
                try elements.filter { try predicate.evaluate(validating: $0) }
            } ?? elements
        result = result.sorted(by: request.sortDescriptors ?? [])
        result.removeFirst(min(result.count, max(0, request.fetchOffset)))
        if request.fetchLimit > 0 { result.removeLast(max(0, result.count - request.fetchLimit)) }
        return result
    }
}
