import DataModel
import Foundation
import Storage

/// Applies a type of merge policy to objects that have the same values of a uniqueness constraint: one of each group stays.
///
/// - With object trump and overwrite, the row in the store keeps its identity and gets the values that were set in the
///   new object; its other values stay. A saved object that took over the values of another row stays, and the other
///   row is deleted.
/// - With store trump, the row in the store keeps its values. A saved object that took over its values gets its own
///   values back.
/// - In both cases, references to an object that is removed lead to the one that stays, which also gets its members.
/// - With rollback, new objects are removed, and saved ones lose their changes.
struct ConstraintResolution {
    private let conflicts: [NSConstraintConflict]
    private let type: NSMergePolicyType

    init(_ conflicts: [NSConstraintConflict], _ type: NSMergePolicyType) {
        self.conflicts = conflicts
        self.type = type
    }

    /// - Throws: 133021 if a row would have to take over values of an object of another entity that it has no room for.
    ///   Nothing was changed then.
    func apply() throws {
        if type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType {
            let unfit = conflicts.filter { !isFit($0) }
            guard unfit.isEmpty else { throw NSConstraintConflict.error(unfit) }
        }
        var replacements = ObjectReplacements()
        for conflict in conflicts {
            func isThere(_ object: NSManagedObject) -> Bool {
                object.context != nil && !object.isDeleted && !replacements.contains(object)
            }
            let objects = conflict.conflictingObjects.filter(isThere)
            let existing = conflict.databaseObject.flatMap { isThere($0) ? $0 : nil }
            guard objects.count + (existing == nil ? 0 : 1) > 1 else { continue }
            let new = objects.filter(\.isInserted)
            let saved = objects.filter { !$0.isInserted }
            switch type {
            case .errorMergePolicyType: return
            case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
                trumpByObject(existing, new, saved, &replacements)
            case .mergeByPropertyStoreTrumpMergePolicyType:
                let survivor = existing ?? saved.first ?? new[0]
                for object in new where object !== survivor { replacements.replace(object, by: survivor, taking: .none) }
                for object in saved where object !== survivor { giveBack(conflict.constraint, of: object) }
            case .rollbackMergePolicyType:
                let survivor = existing ?? saved.first ?? new[0]
                for object in new where object !== survivor { replacements.discard(object) }
                for object in saved where object !== survivor {
                    guard let committed = object.snapshot ?? object.row else { continue }
                    object.dropToOneChanges(except: SlotMask())
                    object.revert(to: committed, as: .mergePolicy)
                    object.context?.noteRefreshed(object)
                }
            }
        }
        replacements.finish()
    }

    /// Whether the object that stays has all properties of the new ones that are removed.
    private func isFit(_ conflict: NSConstraintConflict) -> Bool {
        func isThere(_ object: NSManagedObject) -> Bool { object.context != nil && !object.isDeleted }
        let objects = conflict.conflictingObjects.filter(isThere)
        let new = objects.filter(\.isInserted)
        let existing = conflict.databaseObject.flatMap { isThere($0) ? $0 : nil }
        guard let survivor = objects.last(where: { !$0.isInserted }) ?? existing ?? new.last else { return true }
        return new.allSatisfy { $0 === survivor || survivor.entity.isKindOf(entity: $0.entity) }
    }

    private func trumpByObject(
        _ existing: NSManagedObject?, _ new: [NSManagedObject], _ saved: [NSManagedObject],
        _ replacements: inout ObjectReplacements
    ) {
        guard let survivor = saved.last ?? existing ?? new.last else { return }
        if let existing, existing !== survivor { replacements.replace(existing, by: survivor, taking: .none) }
        for object in saved where object !== survivor { replacements.replace(object, by: survivor, taking: .none) }
        // If there are several new objects, the values of the last one win. It may be the survivor itself.
        let own = survivor.isInserted ? survivor.markedSlots : SlotMask()
        for object in new where object !== survivor {
            replacements.replace(object, by: survivor, taking: .set(except: slots(own, of: survivor, in: object)))
        }
    }

    /// A mask of one object's slots as a mask of another object's slots, which may be of another entity of the family.
    private func slots(_ mask: SlotMask, of source: NSManagedObject, in object: NSManagedObject) -> SlotMask {
        guard !mask.isEmpty, object.layout !== source.layout else { return mask }
        var result = SlotMask()
        for (slot, property) in object.layout.slots.enumerated() {
            if let other = source.layout.slotByName[property.name], mask.contains(other) { result.insert(slot) }
        }
        return result
    }

    /// Gives the properties of a constraint their saved values again.
    private func giveBack(_ names: [String], of object: NSManagedObject) {
        guard let committed = object.snapshot else { return }
        for name in names {
            guard let slot = object.layout.slotByName[name] else { continue }
            if let relationship = object.layout.relationship(slot: slot) {
                object.setToOne(relationship, object.destination(of: relationship, in: committed))
            } else {
                _ = object._prepareWrite(slot)
                object.row?.copySlot(slot, from: committed.slots)
            }
        }
    }
}
