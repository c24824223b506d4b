import DataModel
import Storage

/// This engine evaluates nothing, so no batch gives it computed values.
extension InMemoryTransaction: BatchTransaction {
    var batches: (any BatchTransaction)? { self }

    func update(_ keys: [Int64], entity: EntityLayout, assignments: BatchAssignments) throws {
        _ = try update(changes(keys, entity, assignments.row, assignments.mask), entity: entity)
    }

    func delete(_ keys: [Int64], entity: EntityLayout) throws {
        _ = try delete(changes(keys, entity, .emptyDraft(entity), SlotMask()), entity: entity)
        for key in keys { leaveHiddenOwners(key, entity) }
    }

    func versions(of keys: [Int64], entity: EntityLayout) throws -> [Int64: Int64] {
        let versions = changes(keys, entity, .emptyDraft(entity), SlotMask()).map { ($0.key, $0.expectedVersion) }
        return Dictionary(versions) { first, _ in first }
    }

    /// Changes of rows as they are, whatever their versions.
    private func changes(_ keys: [Int64], _ entity: EntityLayout, _ row: Row, _ mask: SlotMask) -> [RowChange] {
        keys.compactMap { key in
            version(key, entity).map { RowChange(key: key, row: row, expectedVersion: $0, mask: mask) }
        }
    }
}
