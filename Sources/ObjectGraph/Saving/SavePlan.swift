import DataModel
import Foundation
import Storage

/// The objects of one save that go to one store, by entity, and the writing of them.
///
/// Keys are assigned inside the store's transaction. If it fails, `undo` restores everything.
final class SavePlan {
    let context: NSManagedObjectContext
    let store: NSPersistentStore
    let model: ModelLayout
    // Unchecked exclusivity: made and used inside one save, on the context's queue.
    @exclusivity(unchecked) private(set) var inserted: [[NSManagedObject]]
    @exclusivity(unchecked) private(set) var updated: [[NSManagedObject]]
    @exclusivity(unchecked) private(set) var deleted: [[NSManagedObject]]
    /// Objects whose rows others deleted and that are written again.
    @exclusivity(unchecked) private(set) var reinserted: [NSManagedObject] = []
    /// Unchanged objects whose version must not have changed.
    private(set) var checked: [NSManagedObject] = []
    let vacatesUniqueValues: Bool
    /// The keys that new objects had. The objects are those of `inserted`, which holds them.
    @exclusivity(unchecked) private var temporaryKeys: [(object: Unmanaged<NSManagedObject>, key: Int64)] = []
    /// The temporary IDs that were given to the program.
    @exclusivity(unchecked) private var knownIDs: [(object: NSManagedObject, id: NSManagedObjectID)] = []
    private(set) var isCommitted = false
    var recentWrites: [RecentWrites.Entry] = []

    /// - Parameter vacatesUniqueValues: whether unique values that change are removed from their rows before any is
    ///   written.
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
        if context.merging.isReinserted(object) { reinserted.append(object) } else { updated[object.layout.index].append(object) }
    }

    /// The objects of one entity whose values will be written.
    func written(_ entity: EntityLayout) -> some Sequence<NSManagedObject> {
        [inserted[entity.index], updated[entity.index], reinserted.filter { $0.layout === entity }].joined()
    }

    // MARK: Writing

    /// Writes everything in one transaction.
    ///
    /// - Parameter others: work that must succeed before the transaction ends.
    /// - Throws: `VersionConflicts`, `ConstraintFailure`, or an error of the store. Everything is as before then.
    func write(_ others: () throws -> Void) throws {
        try loadOrders()
        // Before a store is locked.
        try context.generationToRead?.prepare()
        do {
            try store.save(for: context) { transaction in
                transaction.describe(author: context.transactionAuthor, contextName: context.name)
                try giveKeys(transaction)
                try writeRows(transaction)
                let memberships = membershipChanges()
                if !memberships.isEmpty { try transaction.apply(memberships) }
                try requireConsistentOutcome()
                guard store.isRegistered else { return try others() }
                do {
                    try store.write(storeChanges, in: context, others)
                } catch {
                    throw try reportedConflicts(error) ?? error
                }
            } didCommit: {
                isCommitted = true
                noteWrites()
            }
        } catch {
            undo()
            throw error
        }
    }

    private var storeChanges: StoreChanges {
        StoreChanges(
            inserted: Array(inserted.joined()) + reinserted, updated: Array(updated.joined()), deleted: Array(deleted.joined()),
            checked: checked)
    }

    private func noteWrites() {
        guard let clock = context.persistentStoreCoordinator?.clock, !recentWrites.isEmpty else { return }
        context.moment.noteOwnWrite(store.recentWrites.add(recentWrites, clock))
    }

    /// The order of members must be known before new ones are in the store, too.
    private func loadOrders() throws {
        for entity in model.entities {
            let ordered = entity.relationships.filter(\.isOrdered)
            guard !ordered.isEmpty else { continue }
            for object in written(entity) { try object.loadChangedMembers(ordered) }
        }
    }

    private func giveKeys(_ transaction: any SaveTransaction) throws {
        let new = store.isRegistered ? inserted.joined().filter { $0.key < 0 } : []
        if !new.isEmpty, let keys = try store.newKeys(for: new, in: context) {
            let registries = context.registries(store.reference)
            for (object, key) in zip(new, keys) { giveKey(key, to: object, in: registries.registry(object.layout.index)) }
            return
        }
        var counts: [Int: Int] = [:]
        for entity in model.entities {
            var count = 0
            inserted[entity.index].forEachUnretained { if $0.key < 0 { count += 1 } }
            if count > 0 { counts[entity.root, default: 0] += count }
        }
        var next: [Int: Int64] = [:]
        for (root, count) in counts { next[root] = try transaction.reserveKeys(count, root: model.entities[root]) }
        let registries = context.registries(store.reference)
        for entity in model.entities where !inserted[entity.index].isEmpty {
            let registry = registries.registry(entity.index)
            guard var key = next[entity.root] else { continue }
            inserted[entity.index].forEachUnretained { object in
                guard object.key < 0 else { return }
                giveKey(key, to: object, in: registry)
                key &+= 1
            }
            next[entity.root] = key
        }
    }

    private func giveKey(_ key: Int64, to object: NSManagedObject, in registry: ObjectRegistry) {
        temporaryKeys.append((.passUnretained(object), object.key))
        if let id = object.cachedID { knownIDs.append((object, id)) }
        context.giveKey(key, to: object, in: registry)
    }

    private func membershipChanges() -> [MembershipChange] {
        var result: [MembershipChange] = []
        for entity in model.entities {
            let relationships = entity.relationships.filter {
                $0.isToMany && $0.storage != .transient && ($0.storage != .oneToMany || $0.isOrdered)
            }
            guard !relationships.isEmpty else { continue }
            for object in written(entity) {
                for relationship in relationships {
                    guard let members = object.toManyIfKnown(relationship), members.hasChanges else { continue }
                    result.append(
                        MembershipChange(
                            relationship: relationship, owner: object.key,
                            added: members.added.values.filter(\.staysAfterSave).map(\.key),
                            removed: members.removed.values.filter { !$0._state.contains(.deleted) }.map(\.key),
                            order: relationship.isOrdered ? members.objects.filter(\.staysAfterSave).map(\.key) : nil))
                }
            }
        }
        return result
    }

    // MARK: Afterwards

    /// Makes the written values the objects' saved state.
    func finish() {
        for objects in inserted { objects.forEachUnretained { $0.didCommit() } }
        for objects in updated { objects.forEachUnretained { $0.didCommit() } }
        reinserted.forEachUnretained { $0.didCommit() }
        // The program may still use a temporary ID to find the object.
        for (object, id) in knownIDs { id.becomePermanent(object.objectID) }
        NSManagedObject.leaveContext(deleted.joined())
    }

    /// Gives new objects their temporary keys again, and all rows the versions they had.
    func undo() {
        for object in inserted.joined() { object.row?.version = 0 }
        for object in [Array(updated.joined()), reinserted].joined() { object.row?.version = object.snapshot?.version ?? 0 }
        guard !temporaryKeys.isEmpty else { return }
        for (reference, key) in temporaryKeys {
            let object = reference.takeUnretainedValue()
            context.shared.permanentPlaces.forget(key)
            object.move(to: context.unsavedRegistries.registry(object.layout.index), key: key)
        }
        temporaryKeys.removeAll()
        // The objects get the same IDs again, which the next save makes permanent.
        for (object, id) in knownIDs { object.cachedID = id }
        knownIDs.removeAll()
        for object in [Array(inserted.joined()), Array(updated.joined()), reinserted].joined() {
            object.updateForeignKeys(object.layout.relationships.filter { $0.storage == .toOne })
        }
    }
}

extension NSManagedObject {
    /// Whether the object is in the store after the save.
    final var staysAfterSave: Bool { _state.isDisjoint(with: [.deleted, .gone]) }

    /// Loads the members of the changed relationships among some.
    final func loadChangedMembers(_ relationships: [RelationshipLayout]) throws {
        guard links != nil else { return }
        for relationship in relationships {
            guard let members = toManyIfKnown(relationship), members.hasChanges else { continue }
            _ = try members.loadedObjects()
        }
    }

    /// Writes the keys of the linked objects into the row, because the keys of new objects change when they are saved.
    final func updateForeignKeys(_ relationships: [RelationshipLayout]) {
        guard let links, let row else { return }
        let slots = row.slots
        for relationship in relationships where !Row.isNil(slots, relationship.slot) {
            guard let link = links[relationship.index] else { continue }
            let destination = unsafeDowncast(link, to: NSManagedObject.self)
            if destination.key < 0, destination._state.contains(.gone) {
                // The destination was deleted before it was ever saved, and no inverse has updated this object.
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
            guard let box = Row.box(row.slots, slot), !(box.value is StoredBytes), let attribute = layout.slots[slot].attribute
            else { continue }
            // Rows share boxes with the rows they were made from, which other contexts may read. So the bytes go into a
            // new box.
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
            let members = unsafeDowncast(link, to: _ToManyObjects.self)
            if relationship.inverse == nil { members.removeVanished() }
            members.didSave()
        }
    }
}
