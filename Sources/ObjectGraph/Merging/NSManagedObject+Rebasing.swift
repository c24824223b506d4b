import DataModel
import Foundation
import Storage

/// Moving an object's unsaved changes to another row of the store than the one they were made on.
extension NSManagedObject {
    /// Makes `fresh` the row under the object's unsaved changes.
    ///
    /// Relationships stay consistent: destinations that the object gains or loses by the new row read their side from
    /// the store again.
    ///
    /// Unsaved changes of to-one relationships that are not kept must be dropped before, by
    /// `dropToOneChanges(except:)`.
    ///
    /// - Parameters:
    ///   - fresh: The row in the store.
    ///   - kept: The slots whose present values stay; they are the changes from now on. To-many relationships always
    ///     keep their added and removed members.
    /// - Returns: Whether any change is left.
    @discardableResult
    final func rebase(onto fresh: Row, keeping kept: SlotMask, as event: NSSnapshotEventType) -> Bool {
        let base = snapshot ?? row
        let wanted = layout.relationships
            .filter { $0.storage == .toOne && kept.contains($0.slot) && !isSame($0, base, fresh) }
            .map { relationship in
                // The destination may have been deleted without a notice to this object.
                (relationship, toOne(relationship).flatMap { $0._state.isDisjoint(with: [.deleted, .gone]) ? $0 : nil })
            }
        let draft = fresh.makeDraft()
        if let row {
            copyKept(kept, from: row, to: draft)
            for relationship in layout.relationships
            where relationship.storage == .toOne && kept.contains(relationship.slot) && isSame(relationship, base, fresh) {
                draft.copySlot(relationship.slot, from: row.slots)
                if let slot = relationship.entitySlot { draft.copySlot(slot, from: row.slots) }
            }
        }
        keepReplacedState()
        snapshot = fresh
        row = draft
        _slots = draft.slots
        _state.insert(.draft)
        clearChangedMask()
        renewLinks(draft) { kept.contains($0.slot) && isSame($0, base, fresh) }
        for relationship in layout.relationships where relationship.storage == .toOne {
            follow(relationship, from: base, to: fresh, isKept: kept.contains(relationship.slot))
        }
        // This is done as if the relationships were set now, because the store may have changed the other sides.
        for (relationship, destination) in wanted {
            if let destination, destination !== self, let inverseID = relationship.inverse, !relationship.isInverseToMany {
                destination.readAgain(inverseID, isToMany: false)
            }
            setToOne(relationship, destination)
        }
        let hasChanges = markChanges(fresh, draft)
        awake(fromSnapshotEvents: event)
        return hasChanges
    }

    /// Drops the object's unsaved changes and gives it the values of `fresh`.
    ///
    /// Unsaved changes of to-one relationships must be dropped before, by `dropToOneChanges(except:)`. Members added to
    /// or removed from a one-to-many relationship are changes of those members, so they stay.
    final func revert(to fresh: Row, as event: NSSnapshotEventType) {
        let base = snapshot ?? row
        dropPairChanges()
        becomeUnchanged(fresh)
        for relationship in layout.storedRelationships where relationship.isToMany {
            links?[relationship.index] = nil
        }
        renewLinks(fresh)
        for relationship in layout.relationships where relationship.storage == .toOne {
            follow(relationship, from: base, to: fresh, isKept: false)
        }
        awake(fromSnapshotEvents: event)
    }

    /// Makes `fresh` the row of the object, which counts as unchanged from now on.
    final func becomeUnchanged(_ fresh: Row) {
        keepReplacedState()
        let old = row
        row = fresh
        _slots = fresh.slots
        snapshot = nil
        clearChangedMask()
        // The context's list of changed objects keeps its entry until `ChangeLists.compact()`.
        _state.subtract([.updated, .draft, .writable, .changedBefore])
        guard let old, layout.slots.contains(where: { !$0.isPersistent && $0.kind != .toMany && $0.kind != .vacant }) else {
            return
        }
        // Transient values belong only to this object.
        let draft = fresh.makeDraft()
        copyKept(SlotMask(), from: old, to: draft)
        row = draft
        _slots = draft.slots
    }

    /// Whether the store's value of a to-one relationship is the one that the object was read with.
    private final func isSame(_ relationship: RelationshipLayout, _ base: Row?, _ fresh: Row) -> Bool {
        guard let base else { return false }
        if Row.isEqual(base.slots, fresh.slots, relationship.slot, .toOne) { return true }
        guard !base.isNil(relationship.slot), base.integer(relationship.slot) < 0, !fresh.isNil(relationship.slot) else {
            return false
        }
        return context?.permanentPlace(of: base.integer(relationship.slot))?.key == fresh.integer(relationship.slot)
    }

    /// Copies attributes that stay, and everything that is not stored.
    private final func copyKept(_ kept: SlotMask, from row: Row, to draft: Row) {
        for (slot, property) in layout.slots.enumerated() where property.kind != .toMany && property.kind != .vacant {
            if !property.isPersistent || property.attribute != nil && kept.contains(slot) {
                draft.copySlot(slot, from: row.slots)
            }
        }
    }

    /// Notes the differences from the store.
    private final func markChanges(_ fresh: Row, _ draft: Row) -> Bool {
        var hasChanges = false
        for (slot, property) in layout.slots.enumerated() where property.kind != .vacant {
            if property.kind == .toMany {
                guard let relationship = layout.relationship(slot: slot),
                    let members = toManyIfKnown(relationship)
                else { continue }
                guard members.hasChanges, relationship.storage != .transient else { continue }
            } else if !property.isPersistent || Row.isEqual(fresh.slots, draft.slots, slot, property.kind) {
                continue
            }
            markChanged(slot)
            hasChanges = true
        }
        return hasChanges
    }

    /// Forgets the destinations that the row no longer has, and has members read again.
    ///
    /// - Parameter isKept: whether a relationship stays as it was set. The key of a new object in the row may have
    ///   changed since.
    private final func renewLinks(_ row: Row, except isKept: (RelationshipLayout) -> Bool = { _ in false }) {
        readMembersAgain()
        guard let links else { return }
        for relationship in layout.relationships where relationship.storage == .toOne && !isKept(relationship) {
            guard let link = links[relationship.index] as? NSManagedObject else { continue }
            if row.isNil(relationship.slot) || row.integer(relationship.slot) != link.key { links[relationship.index] = nil }
        }
    }

    final func readMembersAgain() {
        guard let links else { return }
        _state.remove(.hasOlderMembers)
        for relationship in layout.relationships where relationship.isToMany {
            (links[relationship.index] as? _ToManyObjects)?.rebase()
        }
    }

    /// Makes the store's present row the one that the next save deletes.
    final func deleteVersion(_ fresh: Row) {
        if let base = snapshot ?? row { leaveFormerDestinations(base, fresh) }
        guard snapshot != nil else {
            row = fresh
            if _slots != nil { _slots = fresh.slots }
            return
        }
        snapshot = fresh
        row?.version = fresh.version
    }

    /// If others have changed the destination, the former destination no longer loses anything by the deletion.
    private final func leaveFormerDestinations(_ base: Row, _ fresh: Row) {
        for relationship in layout.relationships where relationship.storage == .toOne && relationship.isInverseToMany {
            guard let inverseID = relationship.inverse, !isSame(relationship, base, fresh) else { continue }
            registeredDestination(of: relationship, in: base)?.members(of: inverseID)?.dropChange(of: self)
        }
    }

    // MARK: Giving up changes

    /// Sets changed to-one relationships back through their setters, so that the destinations are updated.
    final func dropToOneChanges(except kept: SlotMask) {
        guard let base = snapshot else { return }
        let changed = changedSlots(persistentOnly: true)
        for relationship in layout.relationships
        where relationship.storage == .toOne && changed.contains(relationship.slot) && !kept.contains(relationship.slot) {
            var former = destination(of: relationship, in: base)
            // It may have another partner now, which must not lose it.
            if !relationship.isInverseToMany, let inverse = relationship.inverse.flatMap({ former?.layout.relationship(id: $0) }),
                let partner = former?.toOne(inverse), partner !== self
            {
                former = nil
            }
            setToOne(relationship, former)
        }
    }

    private final func dropPairChanges() {
        for relationship in layout.relationships
        where relationship.storage == .manyToMany || relationship.storage == .hiddenForeignKey {
            guard let members = toManyIfKnown(relationship), members.hasChanges else { continue }
            let (added, removed) = (Array(members.added.values), Array(members.removed.values))
            for object in added { removeObject(object, from: relationship) }
            for object in removed where !object.isDeleted { addObject(object, to: relationship) }
        }
    }

    // MARK: The other side

    /// Updates the destinations when the stored key of a to-one relationship has changed.
    private final func follow(_ relationship: RelationshipLayout, from base: Row?, to fresh: Row, isKept: Bool) {
        if isSame(relationship, base, fresh) { return }
        if let inverseID = relationship.inverse {
            for row in [base, fresh] {
                guard let row, let other = registeredDestination(of: relationship, in: row), other !== self else { continue }
                // The changes start from the store's present state.
                other.members(of: inverseID)?.dropChange(of: self)
                other.readAgain(inverseID, isToMany: relationship.isInverseToMany)
            }
            if !isKept, !relationship.isInverseToMany, let base {
                registeredDestination(of: relationship, in: base)?.giveUp(self, inverseID)
            }
        }
        guard !isKept, let gained = registeredDestination(of: relationship, in: fresh), gained !== self else { return }
        if gained.isDeleted || !relationship.isInverseToMany && gained.isTaken(relationship.inverse, from: self) {
            writeToOne(relationship, nil)
            note(relationship)
        }
    }

    /// Gives up the partners in one-to-one relationships that have another one by an unsaved change.
    final func giveUpTakenPartners() {
        guard let row else { return }
        for relationship in layout.relationships
        where relationship.storage == .toOne && relationship.inverse != nil && !relationship.isInverseToMany {
            guard let partner = registeredDestination(of: relationship, in: self.row ?? row), partner !== self,
                partner.isTaken(relationship.inverse, from: self)
            else { continue }
            writeToOne(relationship, nil)
            note(relationship)
        }
    }

    /// Gives up destinations that this context deletes, when an object gets them back because its own deletion was
    /// undone.
    final func giveUpDeletedDestinations() {
        for relationship in layout.relationships where relationship.storage == .toOne {
            guard let row, let inverseID = relationship.inverse,
                let destination = registeredDestination(of: relationship, in: row), destination.isDeleted,
                let rule = destination.layout.relationship(id: inverseID)?.deleteRule,
                rule == .nullifyDeleteRule || rule == .cascadeDeleteRule
            else { continue }
            destination.comeBack()
            guard destination.isDeleted else { continue }
            if rule == .cascadeDeleteRule, !relationship.isOptional {
                // The object can't be without its owner, which is deleted nevertheless.
                context?.delete(self)
                return
            }
            writeToOne(relationship, nil)
            note(relationship)
        }
    }

    /// Gives up a partner that this object has by an unsaved change, and that has another partner in the store.
    private final func giveUp(_ partner: NSManagedObject, _ inverseID: Int) {
        guard let inverse = layout.relationship(id: inverseID), isUpdated, toOne(inverse) === partner else { return }
        writeAndNoteToOne(inverse, nil)
    }

    /// Whether an unsaved change gives this object another partner, or none, in a one-to-one relationship.
    private final func isTaken(_ inverseID: Int?, from object: NSManagedObject) -> Bool {
        guard let inverse = inverseID.flatMap({ layout.relationship(id: $0) }), _state.contains(.updated),
            changedSlots(persistentOnly: true).contains(inverse.slot)
        else { return false }
        return toOne(inverse) !== object
    }

    /// The destination of a to-one relationship in a row of this object, if the context knows it.
    final func registeredDestination(of relationship: RelationshipLayout, in row: Row) -> NSManagedObject? {
        guard !row.isNil(relationship.slot), let context, let store = registry.store ?? context.onlyStore else { return nil }
        let entity = destinationEntity(of: relationship, in: row)
        return context.registries(store).registry(entity).object(row.integer(relationship.slot))
    }

    private final func members(of relationshipID: Int) -> _ToManyObjects? {
        layout.relationship(id: relationshipID).flatMap { toManyIfKnown($0) }
    }

    /// Has a relationship read from the store when it is next read.
    final func readAgain(_ inverseID: Int, isToMany: Bool) {
        guard let inverse = layout.relationship(id: inverseID), !_state.contains(.inserted) else { return }
        if isToMany {
            toManyIfKnown(inverse)?.rebase()
        } else if !hasChanges, isFault {
            keepReplacedState()
            row = nil
            clearLinks()
        } else if !hasChanges {
            keepReplacedState()
            turnIntoFault()
            context?.noteRefreshed(self)
        }
    }
}
