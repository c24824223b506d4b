import DataModel
import Foundation
import Storage

/// Gives up relationships that the resolution of conflicts has left one-sided or dangling.
extension NSManagedObjectContext {
    /// - Throws: 1600 if a delete rule denies the deletion that makes a reference dangle.
    final func mend(_ outcome: InconsistentOutcome) throws {
        for flaw in outcome.flaws {
            let object =
                switch flaw.place {
                case .object(let object): object
                case .row(let key): self.object(store: outcome.plan.store.reference, entity: key.entityIndex, key: key.key)
                }
            guard try takeNewestRow(object, outcome.plan.store),
                let relationship = object.layout.relationship(id: flaw.relationship)
            else { continue }
            if let member = flaw.member {
                object.toManyIfKnown(relationship)?.forget(member)
            } else {
                try giveUp(relationship, of: object)
            }
        }
    }

    final func inconsistencyError(_ count: Int) -> NSError {
        .coreData(
            NSManagedObjectReferentialIntegrityError,
            "\(count) relationship(s) contradict what others have saved in the meantime, and still do so after several attempts to save: call "
                + "refreshAllObjects() or rollback() on \(self), and save again")
    }

    /// Gives the store's row to an object without unsaved changes. False if there is none.
    private final func takeNewestRow(_ object: NSManagedObject, _ store: NSPersistentStore) throws -> Bool {
        guard object._state.isDisjoint(with: [.inserted, .updated]) || object._state.contains(.deletedElsewhere) else {
            return object.context === self && !object.isDeleted
        }
        guard let fresh = try store.loadRow(object.layout, key: object.key) else { return false }
        if object._state.contains(.deletedElsewhere) { mergeReturn(of: object, with: fresh) }
        guard !object.isDeleted else { return false }
        if object.isFault { object.takeRow(fresh) } else { refresh(object, with: fresh) }
        return true
    }

    private final func giveUp(_ relationship: RelationshipLayout, of object: NSManagedObject) throws {
        if let destination = object.toOne(relationship), destination.isDeleted, !destination._state.contains(.deletedElsewhere),
            let inverse = relationship.inverse.flatMap({ destination.layout.relationship(id: $0) })
        {
            switch inverse.deleteRule {
            case .cascadeDeleteRule: return delete(object)
            case .denyDeleteRule: throw destination.denyError(inverse, [object])
            case .nullifyDeleteRule, .noActionDeleteRule: break
            }
        }
        object.writeAndNoteToOne(relationship, nil)
    }
}
