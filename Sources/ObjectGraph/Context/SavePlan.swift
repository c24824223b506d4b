import DataModel
import Foundation
import Storage

/// The objects of one save that go to one store, by entity, and the writing of them.
///
/// Keys are given out inside the store's transaction. If it fails, `undo` puts everything back as it was.
final class SavePlan {
    private let context: NSManagedObjectContext
    private let store: NSPersistentStore
    private let model: ModelLayout
    private var inserted: [[NSManagedObject]]
    private var updated: [[NSManagedObject]]
    private var deleted: [[NSManagedObject]]
    private var temporaryKeys: [(object: NSManagedObject, key: Int64)] = []

    init(_ context: NSManagedObjectContext, _ store: NSPersistentStore) {
        self.context = context
        self.store = store
        model = context.runtime.layout
        let empty = [[NSManagedObject]](repeating: [], count: model.entities.count)
        (inserted, updated, deleted) = (empty, empty, empty)
    }

    func insert(_ object: NSManagedObject) { inserted[object.layout.index].append(object) }
    func update(_ object: NSManagedObject) { updated[object.layout.index].append(object) }
    func delete(_ object: NSManagedObject) { deleted[object.layout.index].append(object) }

    // MARK: Writing

    /// Writes everything in one transaction.
    func write() throws {
        loadOrders()
        do {
            try store.save { transaction in
                try giveKeys(transaction)
                try prepareRows()
                stampVersions()
                // Deletes first: a new object may take over a unique value.
                try check(deleted, "deleted") { try transaction.delete($1, entity: $0) }
                try check(updated, "changed") { try transaction.update($1, entity: $0) }
                for entity in model.entities where !inserted[entity.index].isEmpty {
                    try transaction.insert(inserted[entity.index].compactMap { object in object.row.map { RowChange(key: object.key, row: $0) } }, entity: entity)
                }
                let memberships = membershipChanges()
                if !memberships.isEmpty { try transaction.apply(memberships) }
            }
        } catch {
            undo()
            throw error
        }
    }

    /// The order of members has to be known before new ones are in the store as well.
    private func loadOrders() {
        for entity in model.entities {
            let ordered = entity.relationships.filter(\.isOrdered)
            guard !ordered.isEmpty else { continue }
            for object in [inserted[entity.index], updated[entity.index]].joined() {
                for relationship in ordered {
                    guard let members = object.links?[relationship.index] as? ToManyObjects, members.hasChanges else { continue }
                    _ = members.objects
                }
            }
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
            let objects = [inserted[entity.index], updated[entity.index]]
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

    /// Gives the rows the versions they will have. An in-memory store hands these very rows to others as soon as the transaction ends, so they
    /// have to be complete by then.
    private func stampVersions() {
        for object in inserted.joined() { object.row?.version = 1 }
        for object in updated.joined() { object.row?.version = (object.snapshot?.version ?? 0) + 1 }
    }

    private func check(
        _ objects: [[NSManagedObject]], _ verb: String, _ write: (EntityLayout, [RowChange]) throws -> [Int64]
    ) throws {
        for entity in model.entities where !objects[entity.index].isEmpty {
            let sorted = objects[entity.index].isSortedByKey ? objects[entity.index] : objects[entity.index].sorted { $0.key < $1.key }
            let changes = sorted.compactMap { change($0, expectedVersion: ($0.snapshot ?? $0.row)?.version ?? 0) }
            let conflicts = Set(try write(entity, changes))
            guard !conflicts.isEmpty else { continue }
            let affected = sorted.filter { conflicts.contains($0.key) }
            let names = affected.prefix(5).map { "\($0.objectID)" }.joined(separator: ", ")
            throw NSError.coreData(
                NSManagedObjectMergeError,
                "\(affected.count) object(s) of “\(entity.name)” to be \(verb) were changed or deleted in the store since they were read: \(names)",
                [NSAffectedObjectsErrorKey: affected])
        }
    }

    private func change(_ object: NSManagedObject, expectedVersion: Int64) -> RowChange? {
        object.row.map { RowChange(key: object.key, row: $0, expectedVersion: expectedVersion, mask: object.markedSlots) }
    }

    private func membershipChanges() -> [MembershipChange] {
        var result: [MembershipChange] = []
        for entity in model.entities {
            let relationships = entity.relationships.filter { $0.isToMany && $0.storage != .transient && ($0.storage != .oneToMany || $0.isOrdered) }
            guard !relationships.isEmpty else { continue }
            for object in [inserted[entity.index], updated[entity.index]].joined() {
                for relationship in relationships {
                    guard let members = object.links?[relationship.index] as? ToManyObjects, members.hasChanges else { continue }
                    result.append(
                        MembershipChange(
                            relationship: relationship, owner: object.key, added: members.added.values.filter(\.stays).map(\.key),
                            removed: members.removed.values.filter { !$0._state.contains(.deleted) }.map(\.key),
                            order: relationship.isOrdered ? members.objects.filter(\.stays).map(\.key) : nil))
                }
            }
        }
        return result
    }

    // MARK: Afterwards

    /// Makes what was written the objects' saved state.
    func finish() {
        for object in inserted.joined() { object.didCommit() }
        for object in updated.joined() { object.didCommit() }
        NSManagedObject.leaveContext(deleted.joined())
    }

    /// Gives new objects their temporary keys again, and all rows the versions they had.
    func undo() {
        for object in inserted.joined() { object.row?.version = 0 }
        for object in updated.joined() { object.row?.version = object.snapshot?.version ?? 0 }
        guard !temporaryKeys.isEmpty else { return }
        for (object, key) in temporaryKeys {
            context.permanentPlaces[key] = nil
            object.move(to: context.unsavedRegistries.registry(object.layout.index), key: key)
        }
        temporaryKeys.removeAll()
        for object in [inserted, updated].joined().joined() {
            object.updateForeignKeys(object.layout.relationships.filter { $0.storage == .toOne })
        }
    }
}

extension [NSManagedObject] {
    fileprivate var isSortedByKey: Bool { zip(self, dropFirst()).allSatisfy { $0.key <= $1.key } }
}

extension NSManagedObject {
    /// Whether the object is in the store after the save.
    fileprivate var stays: Bool { _state.isDisjoint(with: [.deleted, .gone]) }

    /// Writes the keys of the linked objects into the row: those of new objects change when they are saved.
    final func updateForeignKeys(_ relationships: [RelationshipLayout]) {
        guard let links, let row else { return }
        let slots = row.slots
        for relationship in relationships where !Row.isNil(slots, relationship.slot) {
            guard let link = links[relationship.index] else { continue }
            let destination = unsafeDowncast(link, to: NSManagedObject.self)
            if destination.key < 0, destination._state.contains(.gone) {
                // It was deleted before it was ever saved, and no inverse told this object.
                writeToOne(relationship, nil)
                continue
            }
            let key = UInt64(bitPattern: destination.key)
            if slots[relationship.slot] != key { slots[relationship.slot] = key }
        }
    }

    final func encodeTransformables(_ slots: [Int]) throws {
        guard let row else { return }
        for slot in slots where !row.isNil(slot) {
            guard let box = Row.box(row.slots, slot), !(box.value is StoredBytes), let attribute = layout.slots[slot].attribute else { continue }
            // Rows share boxes with the rows they were made from, which other contexts may read, so the bytes go into a new one.
            guard box.encoded == nil || markedSlots.contains(slot) else { continue }
            let data = try TransformableCoding.data(from: box.value, of: attribute, objectID: objectID)
            row.setBoxed(slot, box.value)
            Row.box(row.slots, slot)?.encoded = data
        }
    }

    final func didCommit() {
        snapshot = nil
        clearChangedMask()
        _state.subtract([.inserted, .updated, .draft, .writable, .changedBefore])
        guard let links else { return }
        for relationship in layout.relationships where relationship.isToMany {
            guard let link = links[relationship.index] else { continue }
            let members = unsafeDowncast(link, to: ToManyObjects.self)
            if relationship.inverse == nil { members.removeVanished() }
            members.didSave()
        }
    }
}
