import DataModel
import Foundation
import Storage

/// Copies all rows of one store, with their keys, into an empty store of any type.
struct RowCopy {
    let model: ModelLayout
    let source: any StorageEngine
    /// Those of the source.
    let metadata: [String: Any]
    let destination: any StorageEngine

    /// All or nothing: one transaction of the destination.
    func run() throws {
        copyMetadata()
        try destination.save { transaction in
            var keys: [[Int64]] = []
            var highest: [Int: Int64] = [:]
            for entity in model.entities {
                let rows = entity.isAbstract ? [] : try Self.rows(of: entity, in: source)
                if let key = rows.map(\.key).max() { highest[entity.root] = max(key, highest[entity.root] ?? 0) }
                try transaction.insert(rows, entity: entity)
                keys.append(rows.map(\.key))
            }
            // Keys of rows are never given to other rows.
            for (root, key) in highest { _ = try transaction.reserveKeys(Int(key), root: model.entities[root]) }
            for entity in model.entities {
                for relationship in entity.relationships where relationship.isCopied {
                    try transaction.apply(memberships(relationship, owners: keys[entity.index]))
                }
            }
        }
    }

    private func copyMetadata() {
        let given = metadata.filter { !StoreMetadata.reservedKeys.contains($0.key) }
        destination.setMetadata(destination.metadata.merging(given) { own, _ in own })
    }

    /// All rows of one entity, as drafts with the values of external files in them.
    static func rows(of entity: EntityLayout, in source: any StorageEngine) throws -> [RowChange] {
        var request = RowRequest(entity)
        request.includesSubentities = false
        let collector = CopiedRows()
        try source.fetch(request, into: collector)
        return try collector.rows.map { key, row in
            // The copy's version starts anew.
            let copy = row.makeDraft()
            copy.version = 1
            for slot in entity.binarySlots {
                // The error says which file is missing, unless the file is back.
                if let file = Row.unreadFile(row.slots, slot) { copy.setData(slot, try source.externalValue(file)) }
            }
            return RowChange(key: key, row: copy)
        }
    }

    private func memberships(_ relationship: RelationshipLayout, owners: [Int64]) throws -> [MembershipChange] {
        let collector = CopiedMembers()
        try source.fetchMembers(of: relationship, owners: owners, into: collector)
        return collector.members.map { owner, members in
            MembershipChange(
                relationship: relationship, owner: owner, added: members, removed: [],
                order: relationship.isOrdered ? members : nil)
        }
    }
}

extension RelationshipLayout {
    /// Whether neither the rows nor the inverse have the members already.
    fileprivate var isCopied: Bool {
        switch storage {
        case .toOne, .transient: false
        case .oneToMany: isOrdered
        case .hiddenForeignKey: true
        case .manyToMany: isOrdered || id <= inverse ?? id
        }
    }
}

private final class CopiedRows: RowConsumer {
    private(set) var rows: [(key: Int64, row: Row)] = []

    func wantsValues(of key: RowKey) -> Bool { true }
    func take(_ row: Row, for key: RowKey) { rows.append((key.key, row)) }
}

final class CopiedMembers: MemberConsumer {
    private(set) var members: [(owner: Int64, members: [Int64])] = []

    func beginMembers(of owner: Int64) { members.append((owner, [])) }

    func wantsValues(of key: RowKey) -> Bool {
        members[members.count - 1].members.append(key.key)
        return false
    }

    func take(_ row: Row, for key: RowKey) {}
}
