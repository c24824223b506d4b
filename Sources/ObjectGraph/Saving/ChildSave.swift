import DataModel
import Foundation
import Storage

/// Pushes a child context's changes into its parent, as changes of the parent's own objects.
///
/// Runs on the parent's queue while the child waits on its own, so both may be touched.
struct ChildSave {
    let child: NSManagedObjectContext
    let parent: NSManagedObjectContext

    /// - Throws: 133020 with all objects that the child has changed and the parent no longer has; 1550 for
    ///   relationships without inverse that lead to such objects; `ReadingFailure` if an object to be changed can't be
    ///   read in the parent. Nothing was pushed then.
    func push() throws {
        try parent.queue.sync {
            // Changes of the parent itself are reported separately.
            parent.processOwnChanges()
            let lists = child.changeLists
            let (updated, deleted) = (pairs(lists.updated), pairs(lists.deleted))
            // What the parent has to read, it reads together. The pairs hold the objects, which have their rows.
            parent.loadTogether([updated, deleted].joined().lazy.map(\.target))
            try requireObjectsInParent(updated)
            // The order of members must be known before the parent has some of the new ones.
            for object in [lists.inserted, lists.updated].joined() where object.links != nil {
                try object.loadChangedMembers(object.layout.relationships.filter(\.isOrdered))
            }
            for pair in [updated, deleted].joined() { try load(pair.target, for: pair.object) }
            parent.rememberingFailures {
                for object in lists.inserted { insert(object) }
                for pair in pairs(lists.inserted) { pushRelationships(of: pair.object, to: pair.target, isNew: true) }
                for pair in updated { update(pair.target, from: pair.object) }
                for pair in deleted where !pair.object._state.contains(.deletedElsewhere) && !pair.target.isDeleted {
                    parent.delete(pair.target)
                }
            }
            parent.processPendingChanges(
                propagatingDeletes: parent.propagatesDeletesAtEndOfEvent,
                as: RoundSource(origin: .childSave, author: child.transactionAuthor))
        }
    }

    /// An object of the child, and the parent's object for the same row.
    private struct Pair {
        let object: NSManagedObject
        let target: NSManagedObject
    }

    /// The objects that the parent has, too.
    private func pairs(_ objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<Pair> {
        var result: ContiguousArray<Pair> = []
        result.reserveCapacity(objects.count)
        objects.forEachUnretained { object in
            if let target = inParent(object) { result.append(Pair(object: object, target: target)) }
        }
        return result
    }

    /// The parent must have the objects that are changed here. Otherwise the change would be lost silently.
    private func requireObjectsInParent(_ updated: ContiguousArray<Pair>) throws {
        var missing: [NSManagedObject] = []
        if updated.count < child.changeLists.updated.count {
            let found = Set(updated.map { ObjectIdentifier($0.object) })
            missing = child.changeLists.updated.filter { $0.isUpdated && !found.contains(ObjectIdentifier($0)) }
        }
        for pair in updated where pair.object.isUpdated {
            if try !isThere(pair.target) { missing.append(pair.object) }
        }
        guard missing.isEmpty else {
            throw NSMergeConflict.error(
                missing.map {
                    NSMergeConflict(VersionConflict(object: $0, base: $0.snapshot ?? $0.row, fresh: nil, isKnown: true))
                })
        }
        for object in [child.changeLists.inserted, child.changeLists.updated].joined() {
            guard let links = object.links else { continue }
            let marked = object.markedSlots
            for relationship in object.layout.storedRelationships
            where relationship.inverse == nil
                && (object.isInserted || marked.contains(relationship.slot))
            {
                guard let link = links[relationship.index] else { continue }
                let members = (link as? _ToManyObjects).map { Array($0.added.values) }
                for destination in members ?? [link as? NSManagedObject].compactMap({ $0 })
                where try !destination.isInserted && inParent(destination).map(isThere) != true {
                    throw object.danglingError(relationship, destination, "which the parent context has deleted")
                }
            }
        }
    }

    private func isThere(_ target: NSManagedObject) throws -> Bool {
        guard !target.isDeleted else { return false }
        return try !target._state.isDisjoint(with: [.inserted, .unread]) || target.loadForChild()
    }

    private func inParent(_ object: NSManagedObject) -> NSManagedObject? {
        parent.objectForChild(entity: object.layout.index, key: object.key, store: object.registry.store)
    }

    /// Loads the parent's object as far as a change of the child's object needs it.
    private func load(_ target: NSManagedObject, for object: NSManagedObject) throws {
        if target._state.contains(.unread) { try target.load() }
        if target.isFault { _ = try target.fire() }
        guard object.links != nil else { return }
        for relationship in target.layout.relationships where relationship.isOrdered {
            guard let members = object.toManyIfKnown(relationship), members.hasChanges else { continue }
            _ = try target.toMany(relationship).loadedObjects()
        }
    }

    private func insert(_ object: NSManagedObject) {
        guard let row = object.row else { return }
        let registry = (object.registry.store.map(parent.registries) ?? parent.unsavedRegistries).registry(object.layout.index)
        let draft = row.makeDraft()
        // Relationships are set by the setters, which maintain the parent's inverses.
        for relationship in object.layout.relationships where !relationship.isToMany {
            draft.setNil(relationship.slot)
            if let slot = relationship.entitySlot { draft.setNil(slot) }
        }
        parent.shared.permanentPlaces.forget(object.key)
        let target = newObject(registry, key: object.key)
        target.row = draft
        target._slots = draft.slots
        parent.noteInserted(target)
        if let store = child.saving.store(for: object) { parent.saving.assign(target, to: store) }
        for slot in object.markedSlots { target.markChanged(slot) }
    }

    /// The parent may have made an object for the permanent ID before it got this one.
    private func newObject(_ registry: ObjectRegistry, key: Int64) -> NSManagedObject {
        guard let known = registry.object(key) else { return parent.makeFault(registry, key: key, row: nil) }
        known._state.subtract([.deleted, .eventDeleted])
        known.snapshot = nil
        known.clearLinks()
        return known
    }

    private func update(_ target: NSManagedObject, from object: NSManagedObject) {
        guard !target.isDeleted else { return }
        let changed = object.changedSlots(persistentOnly: false)
        target.noteChange()
        if let row = object.row {
            for slot in changed where object.layout.relationshipIndex(slot) < 0 {
                _ = target._prepareWrite(slot)
                target.row?.copySlot(slot, from: row.slots)
            }
        }
        pushRelationships(of: object, to: target, isNew: false, changed: changed)
    }

    private func pushRelationships(
        of object: NSManagedObject, to target: NSManagedObject, isNew: Bool, changed: SlotMask = SlotMask()
    ) {
        for relationship in object.layout.relationships where isNew || changed.contains(relationship.slot) {
            if relationship.isToMany {
                guard let link = object.links?[relationship.index] else { continue }
                pushMembers(unsafeDowncast(link, to: _ToManyObjects.self), relationship, to: target)
            } else {
                target.setToOne(relationship, object.toOne(relationship).flatMap(inParent))
            }
        }
    }

    private func pushMembers(_ members: _ToManyObjects, _ relationship: RelationshipLayout, to target: NSManagedObject) {
        guard members.hasChanges else { return }
        for member in members.removed.values {
            if let inParent = inParent(member) { target.removeObject(inParent, from: relationship) }
        }
        let added =
            relationship.isOrdered
            ? members.objects.filter { members.added[ObjectIdentifier($0)] != nil } : Array(members.added.values)
        for member in added {
            if let inParent = inParent(member) { target.addObject(inParent, to: relationship) }
        }
        guard relationship.isOrdered else { return }
        // Members that only the parent has come after those that both have.
        let order = members.objects.compactMap(inParent)
        let known = Set(order.map(ObjectIdentifier.init))
        let current = target.toMany(relationship)
        let wanted = order.filter(current.contains) + current.objects.filter { !known.contains(ObjectIdentifier($0)) }
        target.setOrder(of: relationship, wanted)
    }
}
