import DataModel
import Foundation
import Storage

/// The last check of a save that has met conflicts.
///
/// A policy resolves one conflict after the other. One resolution can contradict another one, or what others have saved
/// for objects that this context did not know. So the outcome is checked in the store, while no one else can write.
/// Without conflicts the versions of all rows show that it is right.
extension SavePlan {
    /// - Throws: `InconsistentOutcome`.
    func requireConsistentOutcome() throws {
        guard context.merging.hasMetConflict, store.engine.showsUnsavedRows else { return }
        var flaws: [ReferenceFlaw] = []
        for entity in model.entities {
            let written = Array(written(entity))
            let deleted = deleted[entity.index]
            guard !written.isEmpty || !deleted.isEmpty else { continue }
            for relationship in entity.relationships {
                switch relationship.storage {
                case .toOne:
                    flaws += try keysWithoutAnswer(written, relationship)
                    flaws += try formerPartners(written + deleted, relationship)
                case .oneToMany: flaws += try remainingMembers(deleted, relationship)
                case .manyToMany: flaws += try missingMembers(written, relationship)
                // The save has refused these already.
                case .hiddenForeignKey, .transient: break
                }
            }
        }
        guard flaws.isEmpty else { throw InconsistentOutcome(plan: self, flaws: flaws) }
    }

    /// Written keys that dangle, or that lead to a partner that does not lead back.
    private func keysWithoutAnswer(_ objects: [NSManagedObject], _ relationship: RelationshipLayout) throws -> [ReferenceFlaw] {
        guard let inverseID = relationship.inverse else { return [] }
        let keys = objects.map { object in object.row.flatMap { object.destinationKey(of: relationship, in: $0) } }
        let rows = try rows(keys)
        return zip(objects, keys).compactMap { object, key in
            guard let key, let inverse = model.entities[key.entityIndex].relationship(id: inverseID) else { return nil }
            if let row = rows[key] {
                guard !inverse.isToMany, row.isNil(inverse.slot) || row.integer(inverse.slot) != object.key else { return nil }
            } else {
                // A deletion under the rule "no action" may leave keys behind.
                guard inverse.deleteRule != .noActionDeleteRule || object.isMarked(relationship.slot) else { return nil }
            }
            return ReferenceFlaw(place: .object(object), relationship: relationship.id)
        }
    }

    /// Rows of former partners that still lead to the objects.
    private func formerPartners(_ objects: [NSManagedObject], _ relationship: RelationshipLayout) throws -> [ReferenceFlaw] {
        guard let inverseID = relationship.inverse, !relationship.isInverseToMany else { return [] }
        let keys: [RowKey?] = objects.map { object in
            guard let former = (object.snapshot ?? object.row).flatMap({ object.destinationKey(of: relationship, in: $0) })
            else { return nil }
            if object.isDeleted { return relationship.deleteRule == .noActionDeleteRule ? nil : former }
            return object.row.flatMap { object.destinationKey(of: relationship, in: $0) } == former ? nil : former
        }
        let rows = try rows(keys)
        return zip(objects, keys).compactMap { object, key in
            guard let key, let row = rows[key], let inverse = model.entities[key.entityIndex].relationship(id: inverseID),
                !row.isNil(inverse.slot), row.integer(inverse.slot) == object.key
            else { return nil }
            return ReferenceFlaw(place: place(of: key), relationship: inverseID)
        }
    }

    /// Rows that still lead to objects which the save deletes.
    private func remainingMembers(_ objects: [NSManagedObject], _ relationship: RelationshipLayout) throws -> [ReferenceFlaw] {
        guard let inverseID = relationship.inverse, relationship.deleteRule != .noActionDeleteRule, !objects.isEmpty else {
            return []
        }
        let members = KeyCollector()
        try store.fetchMembers(of: relationship, owners: objects.map(\.key), into: members)
        return members.keys.map { ReferenceFlaw(place: place(of: $0), relationship: inverseID) }
    }

    /// Members that were added and have no row.
    private func missingMembers(_ objects: [NSManagedObject], _ relationship: RelationshipLayout) throws -> [ReferenceFlaw] {
        let pairs = objects.flatMap { owner in
            (owner.toManyIfKnown(relationship)?.added.values.filter(\.staysAfterSave) ?? []).map {
                (owner, $0)
            }
        }
        let rows = try rows(pairs.map { RowKey(entity: $1.layout.index, key: $1.key) })
        return pairs.filter { rows[RowKey(entity: $1.layout.index, key: $1.key)] == nil }.map {
            ReferenceFlaw(place: .object($0), relationship: relationship.id, member: $1)
        }
    }

    private func rows(_ keys: [RowKey?]) throws -> [RowKey: Row] {
        var result: [RowKey: Row] = [:]
        for (entity, keys) in Array(Set(keys.compactMap { $0 })).byEntity {
            for (key, row) in try store.loadRows(model.entities[entity], keys: keys) {
                result[RowKey(entity: entity, key: key)] = row
            }
        }
        return result
    }

    /// New objects lose their keys with the transaction, so they must be found now. Other objects may have to be made,
    /// which must wait until the store is free.
    private func place(of key: RowKey) -> ReferenceFlaw.Place {
        context.registries(store.reference).registry(key.entityIndex).object(key.key).map { .object($0) } ?? .row(key)
    }
}

extension NSManagedObject {
    /// The key that a to-one relationship has in a row of this object.
    fileprivate final func destinationKey(of relationship: RelationshipLayout, in row: Row) -> RowKey? {
        guard !row.isNil(relationship.slot) else { return nil }
        return RowKey(entity: destinationEntity(of: relationship, in: row), key: row.integer(relationship.slot))
    }
}
