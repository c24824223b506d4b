import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Whether the deletion of the object was saved or, for a new object, processed. It no longer belongs to a context.
    final var isGone: Bool { _state.contains(.gone) }

    /// An error for each relationship that a save would write and that leads to an object which will not be in the store.
    final func danglingReferences() -> [NSError] {
        guard let links else { return [] }
        let isNew = _state.contains(.inserted) || context?.merging.isReinserted(self) == true
        var errors: [NSError] = []
        for relationship in layout.relationships {
            guard let link = links[relationship.index] else { continue }
            if !relationship.isToMany, unsafeDowncast(link, to: NSManagedObject.self).staysInStore {
                if relationship.isInverseToMany, isNew || isMarked(relationship.slot) {
                    unsafeDowncast(link, to: NSManagedObject.self).noteMembers(of: relationship)
                }
                continue
            }
            guard relationship.storage != .transient, isNew || isMarked(relationship.slot) else { continue }
            if relationship.isToMany {
                for member in unsafeDowncast(link, to: _ToManyObjects.self).added.values {
                    if let error = danglingError(relationship, member) { errors.append(error) }
                }
            } else if let row, !row.isNil(relationship.slot),
                let error = danglingError(relationship, unsafeDowncast(link, to: NSManagedObject.self))
            {
                errors.append(error)
            }
        }
        return errors
    }

    /// Makes a save that gives this object a member increment its version, so that a deletion elsewhere, by a context
    /// that does not know the member, is a conflict.
    ///
    /// In most cases the setters have noted it. Their note is lost if a refresh or a merge policy has dropped the
    /// object's own changes since.
    @inline(__always) final func noteMembers(of relationship: RelationshipLayout) {
        guard _state.isDisjoint(with: [.inserted, .updated, .deleted]) else { return }
        noteMembersAgain(of: relationship)
    }

    @inline(never) private final func noteMembersAgain(of relationship: RelationshipLayout) {
        guard let inverse = relationship.inverse.flatMap({ layout.relationship(id: $0) }) else { return }
        note(inverse)
    }

    /// Whether the object will be in the store after the save, as far as is known.
    private final var staysInStore: Bool { _state.isDisjoint(with: [.deleted, .gone]) && !registry.record.pointee.isDetached }

    /// Whether the slot was set since the last save.
    final func isMarked(_ slot: Int) -> Bool { slot < 64 ? _changed >> UInt64(slot) & 1 != 0 : markedSlots.contains(slot) }

    /// Removes objects that will be deleted from relationships that unsaved changes of this object have set, as their
    /// delete rules say.
    ///
    /// In most cases the deletion has done so already. It has not if others took this object from them in the store,
    /// and this context had removed it and put it back. A reference that was set after the deletion stays, because it
    /// is a mistake, which validation reports.
    final func leaveDeletedDestinations() {
        guard _state.isDisjoint(with: [.deleted, .gone]) else { return }
        let isNew = _state.contains(.inserted)
        for relationship in layout.storedRelationships {
            guard let inverseID = relationship.inverse else { continue }
            guard isNew || isMarked(relationship.slot) || leadsToDeleted(relationship, inverseID) else { continue }
            for destination in changedDestinations(of: relationship) where destination.isLeft(through: inverseID) {
                if destination.deleteRule(of: inverseID) == .cascadeDeleteRule, !destination._state.contains(.deletedElsewhere) {
                    context?.delete(self)
                    return
                }
                if relationship.isToMany {
                    takeMember(destination, from: relationship)
                } else {
                    writeAndNoteToOne(relationship, nil)
                }
            }
        }
    }

    /// Whether an unchanged key leads to an object that this context deletes. Others may have given this object to it,
    /// or the key was set back after the deletion. Such a key counts as changed.
    private final func leadsToDeleted(_ relationship: RelationshipLayout, _ inverseID: Int) -> Bool {
        guard !relationship.isToMany, let row, let destination = registeredDestination(of: relationship, in: row),
            destination._state.contains(.deleted), destination._state.isDisjoint(with: [.gone, .deletedElsewhere])
        else { return false }
        let rule = destination.deleteRule(of: inverseID)
        guard rule == .nullifyDeleteRule || rule == .cascadeDeleteRule else { return false }
        setLink(relationship.index, destination)
        note(relationship)
        return true
    }

    private final func changedDestinations(of relationship: RelationshipLayout) -> [NSManagedObject] {
        if relationship.isToMany { return (toManyIfKnown(relationship)).map { Array($0.added.values) } ?? [] }
        guard let row, !row.isNil(relationship.slot) else { return [] }
        let destination = links?[relationship.index] as? NSManagedObject ?? registeredDestination(of: relationship, in: row)
        return destination.map { [$0] } ?? []
    }

    private final func isLeft(through inverseID: Int) -> Bool {
        guard _state.contains(.deleted), _state.isDisjoint(with: [.gone, .wasSetWhenGone]) else { return false }
        let rule = deleteRule(of: inverseID)
        return rule == .nullifyDeleteRule || rule == .cascadeDeleteRule
    }

    private final func deleteRule(of relationshipID: Int) -> NSDeleteRule? {
        layout.relationship(id: relationshipID)?.deleteRule
    }

    private final func danglingError(_ relationship: RelationshipLayout, _ destination: NSManagedObject) -> NSError? {
        guard !destination.staysInStore else { return nil }
        let reason: String
        if !destination._state.isDisjoint(with: [.deleted, .gone]) {
            guard !isKept(destination, relationship) else { return nil }
            reason = destination.isGone ? "which was deleted" : "which will be deleted"
        } else {
            reason = "which was never inserted into a context"
        }
        return danglingError(relationship, destination, reason)
    }

    /// - Parameter reason: The fault of the destination, as a clause.
    final func danglingError(_ relationship: RelationshipLayout, _ destination: NSManagedObject, _ reason: String) -> NSError {
        PropertyValidation(object: self, key: relationship.name).error(
            NSManagedObjectValidationError,
            "“\(relationship.name)” of “\(layout.name)” (\(objectID.uriRepresentation().absoluteString)) is a dangling reference: it leads to the "
                + "“\(destination.layout.name)” \(destination.objectID.uriRepresentation().absoluteString), \(reason). Set it to another object, or to none, before saving",
            destination)
    }

    /// Whether a deleted destination is not an error: its deletion is denied, or the rule of a member is "no action",
    /// or it was new and its deletion came after the reference, so that no row has a trace of it.
    private final func isKept(_ destination: NSManagedObject, _ relationship: RelationshipLayout) -> Bool {
        if destination.isGone { return destination.key < 0 && !destination._state.contains(.wasSetWhenGone) }
        guard let inverse = relationship.inverse.flatMap({ destination.layout.relationship(id: $0) }) else { return false }
        return inverse.deleteRule == .denyDeleteRule || relationship.isToMany && inverse.deleteRule == .noActionDeleteRule
    }
}
