package import DataModel
import Foundation
import Predicates
package import Storage

/// Keeps rows in dictionaries. Nothing is durable; everything else is as with a file.
///
/// `@unchecked Sendable`: the store makes one call at a time (see `StorageEngine`).
package final class InMemoryEngine: StorageEngine, @unchecked Sendable {
    /// The rows of one family, and the pairs of relationships that rows do not keep.
    struct State {
        var rows: [Int: [Int64: (entity: Int, row: Row)]] = [:]
        /// The version of each row: rows get theirs only when the save that wrote them has succeeded.
        var versions: [Int: [Int64: Int64]] = [:]
        var highestKeys: [Int: Int64] = [:]
        /// The rows whose foreign key names an owner, by the id of the to-one relationship and owner.
        var referrers: [Int: [Int64: Set<Int64>]] = [:]
        /// For relationships without a foreign key: members in order, by relationship id and owner.
        var members: [Int: [Int64: [Int64]]] = [:]
        /// For to-many relationships without inverse: the one owner of each member.
        var hiddenOwners: [Int: [Int64: Int64]] = [:]
    }

    /// Memory holds objects as well, so that nothing is gained by testing rows.
    package func evaluates(_ condition: RowPredicate) -> Bool { false }
    package func evaluates(_ key: RowRequest.SortKey) -> Bool { key.path == nil && key.textComparison == .codePoints }
    package let identifier = UUID().uuidString
    package private(set) var metadata: [String: Any]
    let model: ModelLayout
    let derivations: InMemoryDerivations
    var state = State()

    package init(model: NSManagedObjectModel, layout: ModelLayout) {
        self.model = layout
        derivations = InMemoryDerivations(layout)
        metadata = StoreMetadata.forNewStore(type: "InMemory", identifier: identifier, model: model)
    }

    deinit {
        // Rows need their layout to the end.
        state = State()
    }

    package func setMetadata(_ metadata: [String: Any]) { self.metadata = metadata }

    package func close() {}

    package func count(_ request: RowRequest) throws -> Int { found(request).count }

    package func fetch(_ request: RowRequest, into consumer: some RowConsumer) throws {
        for (key, row) in found(request) where consumer.wantsValues(of: key) { consumer.take(row, for: key) }
    }

    private func found(_ request: RowRequest) -> [(key: RowKey, row: Row)] {
        let rows = state.rows[request.entity.root] ?? [:]
        let family = request.includesSubentities ? model.family(of: request.entity.index) : [request.entity.index]
        var result: [(key: RowKey, row: Row)] = []
        func add(_ key: Int64) {
            guard let (entity, row) = rows[key], family.contains(entity) else { return }
            result.append((RowKey(entity: entity, key: key), row))
        }
        switch request.selection {
        case .all: rows.keys.sorted().forEach(add)
        case .keys(let keys): keys.forEach(add)
        case .members(let relationship, let owner): members(of: relationship, owner: owner).forEach(add)
        case .matching(let row, let slots): rows.keys.sorted().filter { matches(rows[$0]?.row, row, slots) }.forEach(add)
        }
        if !request.sortKeys.isEmpty {
            let order = RowOrder(request.sortKeys, entity: request.entity)
            result = result.enumerated()
                .sorted { a, b in
                    let order = order.compare(a.element.row, b.element.row)
                    return order == 0 ? a.offset < b.offset : order < 0
                }
                .map(\.element)
        }
        let rest = result.dropFirst(request.offset)
        return Array(request.limit == 0 ? rest : rest.prefix(request.limit))
    }

    private func matches(_ candidate: Row?, _ row: Row, _ slots: [Int]) -> Bool {
        guard let candidate else { return false }
        // A subentity may keep an inherited property in another slot.
        return slots.allSatisfy { slot in
            guard let other = candidate.layout === row.layout ? slot : candidate.layout.slotByName[row.layout.slots[slot].name]
            else { return false }
            return !candidate.isNil(other)
                && RowOrder.compare(candidate.slots, other, row.slots, slot, row.layout.kind(slot)) == 0
        }
    }

    func members(of relationship: RelationshipLayout, owner: Int64) -> [Int64] {
        guard relationship.storage == .oneToMany, let inverse = relationship.inverse else {
            return state.members[relationship.id]?[owner] ?? []
        }
        return inOrder((state.referrers[inverse]?[owner] ?? []).sorted(), of: relationship, owner: owner)
    }

    package func save<Result>(_ body: (any SaveTransaction) throws -> Result) throws -> Result {
        let transaction = InMemoryTransaction(self)
        do {
            let result = try body(transaction)
            try transaction.deriveValues()
            return result
        } catch {
            transaction.rollBack()
            throw error
        }
    }
}
