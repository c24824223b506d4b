import DataModel
import Foundation
import Storage

/// The objects of one save that go to one store, by entity, and the writing of them.
///
/// Keys are given out inside the store's transaction. If it fails, `undo` puts everything back as it was.
final class SavePlan {
    let context: NSManagedObjectContext
    let store: NSPersistentStore
    let model: ModelLayout
    private(set) var inserted: [[NSManagedObject]]
    private(set) var updated: [[NSManagedObject]]
    private(set) var deleted: [[NSManagedObject]]
    /// Objects whose rows others deleted and that are written again.
    private(set) var reinserted: [NSManagedObject] = []
    /// Unchanged objects whose version has to be what it was.
    private var checked: [NSManagedObject] = []
    private let vacatesUniqueValues: Bool
    private var temporaryKeys: [(object: NSManagedObject, key: Int64)] = []
    private(set) var isCommitted = false
    private var recentWrites: [RecentWrites.Batch] = []

    /// - Parameter vacatesUniqueValues: whether unique values that change are taken out of their rows before any is written.
    init(_ context: NSManagedObjectContext, _ store: NSPersistentStore, vacatesUniqueValues: Bool = false) {
        self.context = context
        self.store = store
        self.vacatesUniqueValues = vacatesUniqueValues
        model = context.runtime.layout
        let empty = [[NSManagedObject]](repeating: [], count: model.entities.count)
        (inserted, updated, deleted) = (empty, empty, empty)
    }

    func insert(_ object: NSManagedObject) { inserted[object.layout.index].append(object) }
    func delete(_ object: NSManagedObject) { deleted[object.layout.index].append(object) }
    func check(_ object: NSManagedObject) { checked.append(object) }

    func update(_ object: NSManagedObject) {
        let isReinserted = !context.merging.reinsertedObjects.isEmpty && context.merging.reinsertedObjects.contains(ObjectIdentifier(object))
        if isReinserted { reinserted.append(object) } else { updated[object.layout.index].append(object) }
    }

    // MARK: Writing

    /// Writes everything in one transaction.
    ///
    /// - Parameter others: what has to succeed before the transaction ends.
    /// - Throws: `VersionConflicts`, `ConstraintFailure`, or an error of the store. Everything is as before then.
    func write(_ others: () throws -> Void) throws {
        do {
            try store.save { transaction in
                try giveKeys(transaction)
                try prepareRows()
                try writeRows(transaction)
                let memberships = membershipChanges()
                if !memberships.isEmpty { try transaction.apply(memberships) }
                try others()
            } didCommit: {
                didCommit()
            }
        } catch {
            undo()
            throw error
        }
    }

    private func writeRows(_ transaction: any SaveTransaction) throws {
        do {
            var conflicts: [VersionConflict] = try checked.isEmpty ? [] : changedObjects(among: checked)
            // Deletes first: a new object may take over a unique value.
            try write(deleted, &conflicts, isDeletion: true) { try transaction.delete($1, entity: $0) }
            if vacatesUniqueValues { try vacateUniqueValues(transaction) }
            try write(updated, &conflicts, isDeletion: false) { try transaction.update($1, entity: $0) }
            guard conflicts.isEmpty else { throw VersionConflicts(list: conflicts) }
            for entity in model.entities where !inserted[entity.index].isEmpty {
                try transaction.insert(inserted[entity.index].compactMap { change($0, expectedVersion: 0) }, entity: entity)
            }
            for object in reinserted {
                try transaction.insert([change(object, expectedVersion: object.savedVersion)].compactMap { $0 }, entity: object.layout)
            }
        } catch let error as NSError where error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectConstraintMergeError {
            throw ConstraintFailure(plan: self, error: error)
        }
    }

    private func giveKeys(_ transaction: any SaveTransaction) throws {
        var counts: [Int: Int] = [:]
        for entity in model.entities {
            let count = inserted[entity.index].lazy.filter { $0.key < 0 }.count
            if count > 0 { counts[entity.root, default: 0] += count }
        }
        var next: [Int: Int64] = [:]
        for (root, count) in counts { next[root] = try transaction.reserveKeys(count, root: model.entities[root]) }
        let registries = context.registries(store.reference)
        for entity in model.entities where !inserted[entity.index].isEmpty {
            let registry = registries.registry(entity.index)
            registry.reserve(inserted[entity.index].count)
            guard var key = next[entity.root] else { continue }
            for object in inserted[entity.index] where object.key < 0 {
                temporaryKeys.append((object, object.key))
                if context.hasChildren { context.permanentPlaces[object.key] = (store.reference, key) }
                object.move(to: registry, key: key)
                key += 1
            }
            next[entity.root] = key
        }
    }

    /// Makes the foreign keys of all rows those of the linked objects, and transformable values bytes.
    private func prepareRows() throws {
        for entity in model.entities {
            let objects = [inserted[entity.index], updated[entity.index], reinserted.filter { $0.layout === entity }]
            guard objects.contains(where: { !$0.isEmpty }) else { continue }
            let toOnes = entity.relationships.filter { $0.storage == .toOne }
            let transformables = entity.variableSlots.filter { entity.kind($0) == .transformable }
            guard !toOnes.isEmpty || !transformables.isEmpty else { continue }
            for object in objects.joined() {
                object.updateForeignKeys(toOnes)
                try object.encodeTransformables(transformables)
            }
        }
    }

    private func write(
        _ objects: [[NSManagedObject]], _ conflicts: inout [VersionConflict], isDeletion: Bool, _ write: (EntityLayout, [RowChange]) throws -> [Int64]
    ) throws {
        for entity in model.entities where !objects[entity.index].isEmpty {
            let sorted = objects[entity.index].isSortedByKey ? objects[entity.index] : objects[entity.index].sorted { $0.key < $1.key }
            let changes = sorted.compactMap { change($0, expectedVersion: $0.savedVersion) }
            let keys = Set(try write(entity, changes))
            recentWrites.append(
                RecentWrites.Batch(
                    root: entity.root, keys: changes.map(\.key), versions: changes.map { isDeletion ? 0 : $0.expectedVersion + 1 }))
            guard !keys.isEmpty else { continue }
            let found = try conflicting(sorted.filter { keys.contains($0.key) }, entity)
            // What is to be deleted and is gone is as it should be.
            conflicts += isDeletion ? found.filter { $0.fresh != nil } : found
        }
    }

    /// Pairs objects with the rows that the store has now.
    private func conflicting(_ objects: [NSManagedObject], _ entity: EntityLayout) throws -> [VersionConflict] {
        let keys = objects.map(\.key)
        let rows = try store.loadRows(entity, keys: keys)
        let known = store.recentWrites.versions(of: Set(keys), root: entity.root)
        return objects.map { object in
            let fresh = rows[object.key]
            return VersionConflict(
                object: object, base: object.snapshot ?? object.row, fresh: fresh, isKnown: known[object.key] == (fresh?.version ?? 0))
        }
    }

    private func changedObjects(among objects: [NSManagedObject]) throws -> [VersionConflict] {
        try model.entities.flatMap { entity in
            let own = objects.filter { $0.layout === entity }
            return own.isEmpty ? [] : try conflicting(own, entity).filter { $0.fresh?.version != $0.base?.version }
        }
    }

    private func vacateUniqueValues(_ transaction: any SaveTransaction) throws {
        let constraints = UniquenessConstraints(model)
        for entity in model.entities where !updated[entity.index].isEmpty {
            let slots = constraints.slots(of: entity)
            guard !slots.isEmpty else { continue }
            var keys: [[Int]: [Int64]] = [:]
            for object in updated[entity.index] {
                let mask = object.markedSlots
                let changed = slots.filter(mask.contains)
                if !changed.isEmpty { keys[changed, default: []].append(object.key) }
            }
            for (slots, keys) in keys { try transaction.vacate(slots, keys: keys, entity: entity) }
        }
    }

    private func change(_ object: NSManagedObject, expectedVersion: Int64) -> RowChange? {
        object.row.map { RowChange(key: object.key, row: $0, expectedVersion: expectedVersion, mask: object.markedSlots) }
    }

    private func membershipChanges() -> [MembershipChange] {
        var result: [MembershipChange] = []
        var writtenPairs: Set<Int> = []
        for entity in model.entities {
            let relationships = entity.relationships.filter { $0.isToMany && $0.storage != .transient && ($0.storage != .oneToMany || $0.isOrdered) }
            guard !relationships.isEmpty else { continue }
            for object in [inserted[entity.index], updated[entity.index], reinserted.filter { $0.layout === entity }].joined() {
                for relationship in relationships {
                    guard let members = object.links?[relationship.index] as? ToManyObjects, members.hasChanges else { continue }
                    writtenPairs.insert(relationship.id)
                    result.append(
                        MembershipChange(
                            relationship: relationship, owner: object.key, added: members.added.values.map(\.key),
                            removed: members.removed.values.filter { !$0._state.contains(.deleted) }.map(\.key),
                            order: relationship.isOrdered ? members.objects.map(\.key) : nil))
                }
            }
        }
        return result
    }

    // MARK: Afterwards

    /// Gives rows their new versions. Nobody else can use the store yet, so nobody sees a row without.
    private func didCommit() {
        isCommitted = true
        for object in inserted.joined() { object.row?.version = 1 }
        for object in updated.joined() { object.row?.version = (object.snapshot?.version ?? 0) + 1 }
        for object in reinserted { object.row?.version = object.savedVersion + 1 }
        for batch in recentWrites { store.recentWrites.add(batch) }
    }

    /// Makes what was written the objects' saved state.
    func finish() {
        for object in inserted.joined() { object.didCommit() }
        for object in updated.joined() { object.didCommit() }
        for object in reinserted { object.didCommit() }
        for object in deleted.joined() { object.leaveContext() }
    }

    /// Gives new objects their temporary keys again.
    func undo() {
        guard !temporaryKeys.isEmpty else { return }
        for (object, key) in temporaryKeys {
            context.permanentPlaces[key] = nil
            object.move(to: context.unsavedRegistries.registry(object.layout.index), key: key)
        }
        temporaryKeys.removeAll()
        for object in [Array(inserted.joined()), Array(updated.joined()), reinserted].joined() {
            object.updateForeignKeys(object.layout.relationships.filter { $0.storage == .toOne })
        }
    }
}

extension [NSManagedObject] {
    fileprivate var isSortedByKey: Bool { zip(self, dropFirst()).allSatisfy { $0.key <= $1.key } }
}

extension NSManagedObject {
    /// The version of the row as last read or saved.
    final var savedVersion: Int64 { (snapshot ?? row)?.version ?? 0 }

    /// Writes the keys of the linked objects into the row: those of new objects change when they are saved.
    final func updateForeignKeys(_ relationships: [RelationshipLayout]) {
        guard let links, let row else { return }
        let slots = row.slots
        for relationship in relationships where !Row.isNil(slots, relationship.slot) {
            guard let link = links[relationship.index] else { continue }
            let key = UInt64(bitPattern: unsafeDowncast(link, to: NSManagedObject.self).key)
            if slots[relationship.slot] != key { slots[relationship.slot] = key }
        }
    }

    final func encodeTransformables(_ slots: [Int]) throws {
        guard let row else { return }
        for slot in slots where !row.isNil(slot) {
            guard let box = Row.box(row.slots, slot), !(box.value is StoredBytes), let attribute = layout.slots[slot].attribute else { continue }
            box.encoded = try TransformableCoding.data(from: box.value, of: attribute, objectID: objectID)
        }
    }

    final func didCommit() {
        snapshot = nil
        clearChangedMask()
        _state.subtract([.inserted, .updated, .draft, .writable])
        guard let links else { return }
        for relationship in layout.relationships where relationship.isToMany {
            if let link = links[relationship.index] { unsafeDowncast(link, to: ToManyObjects.self).didSave() }
        }
    }
}
