import DataModel
import Foundation
import Storage

/// The work of a batch delete: finds the rows that delete rules also delete, then deletes all of them.
final class BatchDeletion {
    private let batch: Batch

    init(_ batch: Batch) { self.batch = batch }

    func delete(_ settings: FetchSettings) throws -> [BatchOutcome] {
        guard settings.resultType == 0 || settings.resultType == NSFetchRequestResultType.managedObjectIDResultType.rawValue
        else {
            throw NSError.coreData(
                NSCoreDataError,
                "The fetch request of a batch delete of “\(batch.entity.name)” must be for objects or their IDs, not for result type "
                    + "\(settings.resultType)")
        }
        return try batch.write(in: batch.stores) { store, _, writes in
            let rows = try self.batch.rows(settings, in: store)
            try StoreDeletion(self.batch.model, writes).delete(rows)
            return BatchOutcome(rows, writes)
        }
    }

    /// - Throws: 134060 for IDs that are temporary, of another coordinator's stores, or not of one family of entities.
    func delete(_ ids: [NSManagedObjectID]) throws -> [BatchOutcome] {
        var keys: [ObjectIdentifier: Set<Int64>] = [:]
        for id in ids {
            guard let layout = batch.model.entity(named: id.entity.name ?? ""), layout.root == batch.entity.root else {
                throw NSError.coreData(
                    NSCoreDataError,
                    "A batch delete by IDs needs IDs of one entity: \(id) is not a “\(batch.model.entities[batch.entity.root].name)”"
                )
            }
            guard let identifier = id.storeReference?.identifier,
                let store = batch.context.persistentStoreCoordinator?.storeReference(identifier: identifier)?.store
            else {
                throw NSError.coreData(
                    NSCoreDataError, "\(id) can't be deleted by a batch: the coordinator does not have its store")
            }
            keys[ObjectIdentifier(store), default: []].insert(id.key)
        }
        let root = batch.model.entities[batch.entity.root]
        return try batch.write(in: batch.stores.filter { keys[ObjectIdentifier($0)] != nil }) { store, _, writes in
            let found = KeyCollector()
            let wanted = (keys[ObjectIdentifier(store)] ?? []).sorted()
            try store.fetch(RowRequest(root, selection: .keys(wanted)), into: found)
            try StoreDeletion(self.batch.model, writes).delete(found.keys)
            return BatchOutcome(found.keys, writes)
        }
    }
}

/// One store's part of a batch delete.
private final class StoreDeletion {
    private let model: ModelLayout
    private let writes: BatchWrites
    private var store: NSPersistentStore { writes.store }
    /// By the index of the concrete entity.
    private var doomed: [Int: Set<Int64>] = [:]

    init(_ model: ModelLayout, _ writes: BatchWrites) {
        self.model = model
        self.writes = writes
    }

    func delete(_ rows: [RowKey]) throws {
        var next = rows
        while !next.isEmpty {
            var found: [RowKey] = []
            for (entity, keys) in next.byEntity {
                let new = keys.filter { doomed[entity, default: []].insert($0).inserted }
                found += try cascade(from: model.entities[entity], new)
            }
            next = found.filter { !isDoomed($0) }
        }
        let all = doomed.map { (entity: model.entities[$0], keys: $1.sorted()) }.sorted { $0.entity.index < $1.entity.index }
        for (entity, keys) in all { try checkDeny(entity, keys) }
        for (entity, keys) in all { try nullify(entity, keys) }
        for (entity, keys) in all { try writes.delete(keys, entity: entity) }
    }

    private func isDoomed(_ key: RowKey) -> Bool { doomed[key.entityIndex]?.contains(key.key) ?? false }

    // MARK: Delete rules

    private func relationships(_ entity: EntityLayout, _ rule: NSDeleteRule) -> [RelationshipLayout] {
        entity.storedRelationships.filter { $0.deleteRule == rule }
    }

    private func cascade(from entity: EntityLayout, _ keys: [Int64]) throws -> [RowKey] {
        try relationships(entity, .cascadeDeleteRule).flatMap { try destinations(of: $0, entity, keys) }
    }

    private func checkDeny(_ entity: EntityLayout, _ keys: [Int64]) throws {
        for relationship in relationships(entity, .denyDeleteRule) {
            guard let other = try destinations(of: relationship, entity, keys).first(where: { !isDoomed($0) }) else { continue }
            throw NSError.coreData(
                NSValidationRelationshipDeniedDeleteError,
                "“\(entity.name)” can't be deleted by a batch: its relationship “\(relationship.name)” denies it while there is "
                    + "“\(model.entities[other.entityIndex].name)” \(other.key)",
                [NSValidationKeyErrorKey: relationship.name])
        }
    }

    /// Removes deleted rows from the foreign keys of rows that stay.
    private func nullify(_ entity: EntityLayout, _ keys: [Int64]) throws {
        for relationship in relationships(entity, .nullifyDeleteRule) {
            guard let inverseID = relationship.inverse, !relationship.isInverseToMany else { continue }
            let left = try destinations(of: relationship, entity, keys).filter { !isDoomed($0) }
            for (index, members) in left.byEntity {
                let layout = model.entities[index]
                guard let inverse = layout.relationship(id: inverseID) else { continue }
                guard inverse.isOptional else {
                    throw NSError.coreData(
                        NSValidationMissingMandatoryPropertyError,
                        "“\(entity.name)” can't be deleted by a batch: “\(inverse.name)” of “\(layout.name)” \(members[0]) is required "
                            + "and would have no value",
                        [NSValidationKeyErrorKey: inverse.name])
                }
                var mask = SlotMask()
                mask.insert(inverse.slot)
                if let slot = inverse.entitySlot { mask.insert(slot) }
                try writes.update(
                    members, entity: layout, assignments: BatchAssignments(row: .emptyDraft(layout), mask: mask))
            }
        }
    }

    // MARK: Destinations

    private func destinations(of relationship: RelationshipLayout, _ entity: EntityLayout, _ keys: [Int64]) throws -> [RowKey] {
        guard !keys.isEmpty else { return [] }
        if relationship.isToMany {
            let members = KeyCollector()
            try store.fetchMembers(of: relationship, owners: keys, into: members)
            return members.keys
        }
        let slots = DestinationKeys(relationship)
        var request = RowRequest(entity, selection: .keys(keys))
        request.includesSubentities = false
        try store.fetch(request, into: slots)
        return try existing(slots.keys)
    }

    /// A foreign key may dangle.
    private func existing(_ keys: [RowKey]) throws -> [RowKey] {
        try keys.byEntity.flatMap { entity, keys in
            let found = KeyCollector()
            try store.fetch(RowRequest(model.entities[entity], selection: .keys(keys)), into: found)
            return found.keys
        }
    }
}

/// Takes the destinations of a to-one relationship out of rows.
private final class DestinationKeys: RowConsumer {
    private let relationship: RelationshipLayout
    private(set) var keys: [RowKey] = []

    init(_ relationship: RelationshipLayout) { self.relationship = relationship }

    func wantsValues(of key: RowKey) -> Bool { true }

    func take(_ row: Row, for key: RowKey) {
        guard !row.isNil(relationship.slot) else { return }
        let entity = relationship.entitySlot.flatMap { row.isNil($0) ? nil : Int(row.integer($0)) }
        keys.append(RowKey(entity: entity ?? relationship.destination, key: row.integer(relationship.slot)))
    }
}
