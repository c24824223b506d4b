import DataModel
import Foundation
import Storage

extension NSManagedObject {
    /// Whether the deletion of the object was saved or, for a new one, processed: it belongs to no context any more.
    final var isGone: Bool { _state.contains(.gone) }

    /// An error for each relationship that a save would write and that leads to an object which will not be in the store.
    final func danglingReferences() -> [NSError] {
        guard let links else { return [] }
        let isNew = _state.contains(.inserted)
        var errors: [NSError] = []
        for relationship in layout.relationships {
            guard let link = links[relationship.index] else { continue }
            if !relationship.isToMany, unsafeDowncast(link, to: NSManagedObject.self).staysInStore { continue }
            guard relationship.storage != .transient, isNew || isMarked(relationship.slot) else { continue }
            if relationship.isToMany {
                for member in unsafeDowncast(link, to: ToManyObjects.self).added.values {
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

    /// Whether nothing stands against the object's being in the store after the save.
    private final var staysInStore: Bool { _state.isDisjoint(with: [.deleted, .gone]) && !registry.record.pointee.isDetached }

    /// Whether the slot was set since the last save.
    final func isMarked(_ slot: Int) -> Bool { slot < 64 ? _changed >> UInt64(slot) & 1 != 0 : markedSlots.contains(slot) }

    private final func danglingError(_ relationship: RelationshipLayout, _ destination: NSManagedObject) -> NSError? {
        guard !destination.staysInStore else { return nil }
        let reason: String
        if !destination._state.isDisjoint(with: [.deleted, .gone]) {
            guard !isKept(destination, relationship) else { return nil }
            reason = destination.isGone ? "which was deleted" : "which is to be deleted"
        } else {
            reason = "which was never inserted into a context"
        }
        return danglingError(relationship, destination, reason)
    }

    /// - Parameter reason: What is wrong with the destination, as a clause.
    final func danglingError(_ relationship: RelationshipLayout, _ destination: NSManagedObject, _ reason: String) -> NSError {
        PropertyValidation(object: self, key: relationship.name).error(
            NSManagedObjectValidationError,
            "“\(relationship.name)” of “\(layout.name)” (\(objectID.uriRepresentation().absoluteString)) is a dangling reference: it leads to the "
                + "“\(destination.layout.name)” \(destination.objectID.uriRepresentation().absoluteString), \(reason). Set it to another object, or to none, before saving",
            destination)
    }

    /// Whether a deleted destination needs no mention: its deletion is denied, the rule of a member says that nothing is to be done, or it was new and its deletion came after the
    /// reference, of which then no row has a trace.
    private final func isKept(_ destination: NSManagedObject, _ relationship: RelationshipLayout) -> Bool {
        if destination.isGone { return destination.key < 0 && !destination._state.contains(.wasSetWhenGone) }
        guard let inverse = relationship.inverse.flatMap({ destination.layout.relationship(id: $0) }) else { return false }
        return inverse.deleteRule == .denyDeleteRule || relationship.isToMany && inverse.deleteRule == .noActionDeleteRule
    }
}
