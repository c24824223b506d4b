import DataModel
import Foundation
import Storage

/// The rows and memberships that the cache nodes of an atomic store stand for.
///
/// A relationship may be given at either end, or at both: then the ends have to agree.
struct NodeRows {
    let given: GivenValues
    private var changes: [[RowChange]]
    private var rows: [RowKey: Row] = [:]
    private var members: [(owner: NSManagedObjectID, relationship: RelationshipLayout, keys: [RowKey])] = []

    private var model: ModelLayout { given.model }

    /// - Throws: 134070 for a value that can't be in a row, for a destination that the store does not have, and for
    ///   ends of a relationship that contradict each other.
    init(given: GivenValues, nodes: [RowKey: NSAtomicStoreCacheNode]) throws {
        self.given = given
        changes = Array(repeating: [], count: given.model.entities.count)
        let ordered = nodes.sorted { ($0.key.entity, $0.key.key) < ($1.key.entity, $1.key.key) }
        for (key, node) in ordered { rows[key] = try attributes(of: node, key) }
        for (key, node) in ordered { try readRelationships(of: node, key) }
        for (owner, relationship, keys) in members { try point(keys, at: owner, relationship) }
        try requireOneOwner()
        for (key, row) in rows {
            changes[key.entityIndex].append(RowChange(key: key.key, row: row))
        }
    }

    /// Writes everything into an engine that is empty.
    func fill(_ engine: any StorageEngine) throws {
        try engine.save { transaction in
            for entity in model.entities where !changes[entity.index].isEmpty {
                try transaction.insert(changes[entity.index].sorted { $0.key < $1.key }, entity: entity)
            }
            try transaction.apply(
                members.compactMap { owner, relationship, keys in
                    guard relationship.storage != .oneToMany || relationship.isOrdered else { return nil }
                    let keys = keys.map(\.key)
                    return MembershipChange(
                        relationship: relationship, owner: owner.key, added: keys, removed: [],
                        order: relationship.isOrdered ? keys : nil)
                })
        }
    }

    private func attributes(of node: NSAtomicStoreCacheNode, _ key: RowKey) throws -> Row {
        let entity = model.entities[key.entityIndex]
        guard !entity.isAbstract, given.store.holds(entity.name) else {
            throw given.failure(
                "has a node \(node.objectID) of “\(entity.name)”, "
                    + (entity.isAbstract ? "which is abstract" : "which is not in the configuration of the store"))
        }
        let row = Row.emptyDraft(entity)
        row.version = 1
        for (slot, layout) in entity.slots.enumerated() where layout.attribute != nil && layout.isPersistent {
            try given.put(node.value(forKey: layout.name), into: row, slot, of: node.objectID)
        }
        for relationship in entity.relationships where relationship.storage == .toOne {
            given.put(nil, into: row, relationship)
        }
        return row
    }

    private mutating func readRelationships(of node: NSAtomicStoreCacheNode, _ key: RowKey) throws {
        guard let row = rows[key] else { return }
        for relationship in row.layout.relationships where relationship.storage != .transient {
            let value = node.value(forKey: relationship.name)
            if relationship.isToMany {
                let found = try given.members(value, relationship, of: node.objectID)
                for member in found { try requireNode(member, relationship, of: node.objectID) }
                if !found.isEmpty { members.append((node.objectID, relationship, found)) }
            } else if let destination = try given.destination(value, relationship, of: node.objectID) {
                try requireNode(destination, relationship, of: node.objectID)
                try point(row, relationship, at: destination, of: node.objectID)
                try answer(destination, relationship, of: key, node.objectID)
            }
        }
    }

    private func requireNode(_ key: RowKey, _ relationship: RelationshipLayout, of id: NSManagedObjectID) throws {
        guard rows[key] == nil else { return }
        let name = given.store.id(of: key).map { "\($0)" } ?? "an object"
        throw given.failure(relationship.name, of: id, "leads to \(name), which the store does not have")
    }

    /// Has the other end of a one-to-one relationship lead back.
    private func answer(_ destination: RowKey, _ relationship: RelationshipLayout, of key: RowKey, _ id: NSManagedObjectID) throws
    {
        guard let inverseID = relationship.inverse, !relationship.isInverseToMany, let row = rows[destination],
            let inverse = row.layout.relationship(id: inverseID), let other = given.store.id(of: destination)
        else { return }
        try point(row, inverse, at: key, of: other)
    }

    /// Has the members of a one-to-many relationship lead to their owner.
    private func point(_ keys: [RowKey], at owner: NSManagedObjectID, _ relationship: RelationshipLayout) throws {
        guard relationship.storage == .oneToMany, let inverseID = relationship.inverse, let ownerKey = given.rowKey(owner) else {
            return
        }
        for key in keys {
            guard let row = rows[key], let inverse = row.layout.relationship(id: inverseID), let id = given.store.id(of: key)
            else {
                continue
            }
            try point(row, inverse, at: ownerKey, of: id)
        }
    }

    /// A member of a relationship without inverse has one owner.
    private func requireOneOwner() throws {
        var owners: [Int: [RowKey: NSManagedObjectID]] = [:]
        for (owner, relationship, keys) in members where relationship.storage == .hiddenForeignKey {
            for key in keys {
                guard let other = owners[relationship.id, default: [:]].updateValue(owner, forKey: key) else { continue }
                let name = given.store.id(of: key).map { "\($0)" } ?? "an object"
                throw given.failure(
                    relationship.name, of: owner,
                    "has \(name), which “\(relationship.name)” of \(other) has, too: an object has one owner in a relationship without inverse"
                )
            }
        }
    }

    private func point(_ row: Row, _ relationship: RelationshipLayout, at destination: RowKey, of id: NSManagedObjectID) throws {
        if row.isNil(relationship.slot) { return given.put(destination, into: row, relationship) }
        guard row.integer(relationship.slot) != destination.key else { return }
        let known = relationship.entitySlot.map { Int(row.integer($0)) } ?? relationship.destination
        let names = [RowKey(entity: known, key: row.integer(relationship.slot)), destination].map {
            given.store.id(of: $0).map { "\($0)" } ?? ""
        }
        throw given.failure(
            relationship.name, of: id,
            "leads to \(names[0]), while \(names[1]) has the object at the other end: the two ends of the relationship contradict each other"
        )
    }
}
