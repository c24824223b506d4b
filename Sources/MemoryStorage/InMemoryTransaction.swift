import DataModel
import Storage

/// A save into an in-memory engine. Works in place and keeps the way back, so that its cost does not depend on the size of the
/// store.
final class InMemoryTransaction: SaveTransaction {
    private let engine: InMemoryEngine
    private var model: ModelLayout { engine.model }
    private var undo: [(inout InMemoryEngine.State) -> Void] = []

    /// What was written, for derived attributes; not noted in a model without any.
    private var changes = InMemoryDerivations.Changes()
    private let notesChanges: Bool

    init(_ engine: InMemoryEngine) {
        self.engine = engine
        notesChanges = !engine.derivations.isEmpty
    }

    /// Gives the derived attributes of all rows that the save concerns their values. The versions of rows stay.
    func deriveValues() throws {
        guard notesChanges else { return }
        try engine.derivations.rows(after: changes, in: engine) { row, key, entity in
            let old = engine.state.rows[entity.root]?[key]
            engine.state.rows[entity.root]?[key] = (entity.index, row)
            undo.append { $0.rows[entity.root]?[key] = old }
        }
    }

    func rollBack() {
        for step in undo.reversed() { step(&engine.state) }
        undo.removeAll()
    }

    /// Keys stay taken when the save fails: they are never handed out twice.
    func reserveKeys(_ count: Int, root: EntityLayout) throws -> Int64 {
        let last = engine.state.highestKeys[root.index] ?? 0
        engine.state.highestKeys[root.index] = last + Int64(count)
        return last + 1
    }

    func insert(_ changes: [RowChange], entity: EntityLayout) throws {
        for change in changes {
            setRow((entity.index, change.row), key: change.key, root: entity.root, lastVersion: change.expectedVersion)
        }
    }

    func update(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64] {
        changes.compactMap { change in
            guard hasExpectedVersion(change, entity), let old = engine.state.rows[entity.root]?[change.key]?.row else {
                return change.key
            }
            let new = old.makeDraft()
            for slot in 0..<entity.slotCount where change.mask.contains(slot) && entity.slots[slot].isPersistent {
                new.copySlot(slot, from: change.row.slots)
            }
            new.version = change.expectedVersion + 1
            setRow((entity.index, new), key: change.key, root: entity.root)
            return nil
        }
    }

    func delete(_ changes: [RowChange], entity: EntityLayout) throws -> [Int64] {
        changes.compactMap { change in
            guard hasExpectedVersion(change, entity) else { return change.key }
            setRow(nil, key: change.key, root: entity.root)
            for relationship in entity.relationships where relationship.isToMany {
                for member in engine.state.members[relationship.id]?[change.key] ?? [] where relationship.storage == .manyToMany {
                    if let inverse = relationship.inverse { removePair(inverse, owner: member, member: change.key) }
                }
                setMembers(nil, of: relationship.id, owner: change.key)
            }
            return nil
        }
    }

    func apply(_ changes: [MembershipChange]) throws {
        for change in changes {
            let id = change.relationship.id
            if change.relationship.storage == .hiddenForeignKey { moveMembers(change) }
            var members = engine.state.members[id]?[change.owner] ?? []
            let removed = Set(change.removed)
            members.removeAll(where: removed.contains)
            let present = Set(members)
            members.append(contentsOf: change.added.filter { !present.contains($0) })
            setMembers(ordered(members, change), of: id, owner: change.owner)
            guard let inverse = change.relationship.inverse, change.relationship.storage == .manyToMany else { continue }
            for member in change.removed { removePair(inverse, owner: member, member: change.owner) }
            for member in change.added {
                let owners = engine.state.members[inverse]?[member] ?? []
                if !owners.contains(change.owner) { setMembers(owners + [change.owner], of: inverse, owner: member) }
            }
        }
    }

    /// Members that the change does not name follow in the order that they had.
    private func ordered(_ members: [Int64], _ change: MembershipChange) -> [Int64] {
        guard let order = change.order else { return members }
        // The members' foreign keys say who is one; this is only their order.
        guard change.relationship.storage != .oneToMany else { return order }
        let (present, named) = (Set(members), Set(order))
        return order.filter(present.contains) + members.filter { !named.contains($0) }
    }

    /// A member of a relationship without inverse leaves the owner that had it before.
    private func moveMembers(_ change: MembershipChange) {
        let id = change.relationship.id
        for member in change.removed where engine.state.hiddenOwners[id]?[member] == change.owner {
            setHiddenOwner(nil, of: id, member: member)
        }
        for member in change.added {
            if let owner = engine.state.hiddenOwners[id]?[member], owner != change.owner {
                removePair(id, owner: owner, member: member)
            }
            setHiddenOwner(change.owner, of: id, member: member)
        }
    }

    /// Takes a deleted row out of the relationships without inverse that have it.
    func leaveHiddenOwners(_ key: Int64, _ entity: EntityLayout) {
        for (relationship, owners) in engine.state.hiddenOwners {
            guard let owner = owners[key], hiddenDestinationRoots[relationship] == entity.root else { continue }
            removePair(relationship, owner: owner, member: key)
            setHiddenOwner(nil, of: relationship, member: key)
        }
    }

    /// The root entities of the destinations of relationships without inverse, by the relationship's id.
    private var hiddenDestinationRoots: [Int: Int] {
        var roots: [Int: Int] = [:]
        for relationship in model.entities.flatMap(\.relationships) where relationship.storage == .hiddenForeignKey {
            roots[relationship.id] = model.entities[relationship.destination].root
        }
        return roots
    }

    /// The version that a row of a concrete entity has; nil without a row.
    func version(_ key: Int64, _ entity: EntityLayout) -> Int64? {
        guard engine.state.rows[entity.root]?[key]?.entity == entity.index else { return nil }
        return engine.state.versions[entity.root]?[key]
    }

    private func setHiddenOwner(_ owner: Int64?, of relationship: Int, member: Int64) {
        let old = engine.state.hiddenOwners[relationship, default: [:]].removeValue(forKey: member)
        if let owner { engine.state.hiddenOwners[relationship, default: [:]][member] = owner }
        undo.append { $0.hiddenOwners[relationship, default: [:]][member] = old }
    }

    private func hasExpectedVersion(_ change: RowChange, _ entity: EntityLayout) -> Bool {
        engine.state.versions[entity.root]?[change.key] == change.expectedVersion
    }

    private func setRow(_ row: (entity: Int, row: Row)?, key: Int64, root: Int, lastVersion: Int64 = 0) {
        let old = engine.state.rows[root, default: [:]].removeValue(forKey: key)
        let oldVersion = engine.state.versions[root, default: [:]].removeValue(forKey: key)
        Self.moveReferences(of: key, from: old, to: row, model, in: &engine.state)
        if notesChanges { changes.rows[root, default: []].insert(key) }
        if let row {
            engine.state.rows[root, default: [:]][key] = (row.entity, withoutTransients(row.row))
            engine.state.versions[root, default: [:]][key] = (oldVersion ?? lastVersion) + 1
        }
        let model = model
        undo.append {
            Self.moveReferences(of: key, from: row, to: old, model, in: &$0)
            $0.rows[root, default: [:]][key] = old
            $0.versions[root, default: [:]][key] = oldVersion
        }
    }

    /// Keeps `referrers` in step with a row's foreign keys.
    private static func moveReferences(
        of key: Int64, from old: (entity: Int, row: Row)?, to new: (entity: Int, row: Row)?, _ model: ModelLayout,
        in state: inout InMemoryEngine.State
    ) {
        guard let entity = old?.entity ?? new?.entity else { return }
        for relationship in model.entities[entity].relationships where relationship.isForeignKeyOfMembers {
            func owner(_ version: (entity: Int, row: Row)?) -> Int64? {
                guard let row = version?.row, !row.isNil(relationship.slot) else { return nil }
                return row.integer(relationship.slot)
            }
            let (before, after) = (owner(old), owner(new))
            if before == after { continue }
            if let before { state.referrers[relationship.id, default: [:]].leave(key, before) }
            if let after { state.referrers[relationship.id, default: [:]][after, default: []].insert(key) }
        }
    }

    /// A store keeps no transient values: fetched objects start without them.
    private func withoutTransients(_ row: Row) -> Row {
        let slots = row.layout.transientSlots
        guard slots.contains(where: { !row.isNil($0) }) else { return row }
        let copy = row.makeDraft()
        for slot in slots { copy.setNil(slot) }
        return copy
    }

    private func setMembers(_ members: [Int64]?, of relationship: Int, owner: Int64) {
        let old = engine.state.members[relationship, default: [:]].removeValue(forKey: owner)
        if let members { engine.state.members[relationship, default: [:]][owner] = members }
        if notesChanges { changes.relationships.insert(relationship) }
        undo.append { $0.members[relationship, default: [:]][owner] = old }
    }

    private func removePair(_ relationship: Int, owner: Int64, member: Int64) {
        guard let members = engine.state.members[relationship]?[owner] else { return }
        setMembers(members.filter { $0 != member }, of: relationship, owner: owner)
    }
}

extension RelationshipLayout {
    /// Whether a to-many relationship finds its members by this to-one relationship's foreign key.
    fileprivate var isForeignKeyOfMembers: Bool { storage == .toOne && isInverseToMany }
}

extension [Int64: Set<Int64>] {
    /// Takes a row out of an owner's; an owner without rows needs no entry.
    fileprivate mutating func leave(_ key: Int64, _ owner: Int64) {
        self[owner]?.remove(key)
        if self[owner]?.isEmpty == true { self[owner] = nil }
    }
}
