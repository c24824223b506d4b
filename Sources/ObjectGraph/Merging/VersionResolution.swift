import DataModel
import Foundation
import Storage

/// Applies a type of merge policy to one object whose row others changed or deleted.
struct VersionResolution {
    private let conflict: NSMergeConflict
    private let type: NSMergePolicyType
    private let object: NSManagedObject

    init(_ conflict: NSMergeConflict, _ type: NSMergePolicyType) {
        self.conflict = conflict
        object = conflict.sourceObject
        let isInPart = type == .overwriteMergePolicyType && object.context?.merging.isWrittenWhole(object) == false
        self.type = isInPart ? .mergeByPropertyObjectTrumpMergePolicyType : type
    }

    /// Drops the losing changes in all objects before any gets its new values, because both ends of a relationship may
    /// be in conflict.
    func prepare() throws {
        guard object.context != nil, object.isUpdated, let fresh = try freshRow() else { return }
        object.dropToOneChanges(except: type == .rollbackMergePolicyType ? SlotMask() : keptSlots(fresh))
    }

    func apply() throws {
        guard let context = object.context, !object._state.contains(.inserted) else { return }
        guard let fresh = try freshRow() else {
            // No values are lost: if the object's values count, its row comes back.
            let isKept = type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
            if isKept, object.isUpdated, object.row != nil { return try insertAgain(context) }
            return context.mergeDeletion(of: object)
        }
        // Others may have brought the row back earlier.
        context.merging.forgetReinsertion(of: object)
        if object.isDeleted {
            if type == .rollbackMergePolicyType { context.restore(object, with: fresh) } else { object.deleteVersion(fresh) }
            return
        }
        switch type {
        case .errorMergePolicyType: return
        case .rollbackMergePolicyType: object.revert(to: fresh, as: .mergePolicy)
        case .mergeByPropertyObjectTrumpMergePolicyType, .mergeByPropertyStoreTrumpMergePolicyType, .overwriteMergePolicyType:
            let isLeft = object.rebase(onto: fresh, keeping: keptSlots(fresh), as: .mergePolicy)
            if !isLeft {
                object.becomeUnchanged(fresh)
            } else if !object.isUpdated {
                object.noteChange()
            }
        }
        context.noteRefreshed(object)
    }

    private func freshRow() throws -> Row? {
        if let known = conflict.freshRow { return known }
        return try object.registry.store?.store?.loadRow(object.layout, key: object.key)
    }

    /// The slots whose values in the object win over those of the store.
    private func keptSlots(_ fresh: Row) -> SlotMask {
        guard let row = object.row else { return SlotMask() }
        let base = object.snapshot ?? row
        let layout = object.layout
        var kept = object.changedSlots(persistentOnly: true)
        let marked = object.markedSlots
        // A relationship that was set here wins over the store even if it had this value when the object was read,
        // because the other side was set with it.
        for relationship in layout.relationships
        where relationship.storage == .toOne && relationship.inverse != nil && !relationship.isInverseToMany
            && marked.contains(relationship.slot)
        {
            kept.insert(relationship.slot)
        }
        if type == .overwriteMergePolicyType {
            for (slot, property) in layout.slots.enumerated() where property.isPersistent && !kept.contains(slot) {
                if let relationship = layout.relationship(slot: slot), property.kind == .toOne {
                    // No reference may lead to a row that others deleted.
                    guard row.isNil(slot) || Row.isEqual(row.slots, fresh.slots, slot, .toOne) || isThere(relationship) else {
                        continue
                    }
                }
                kept.insert(slot)
            }
        }
        guard type == .mergeByPropertyStoreTrumpMergePolicyType else { return kept }
        for (slot, property) in layout.slots.enumerated() where property.isPersistent && kept.contains(slot) {
            // Keys also differ by their destination's entity.
            let isSame = Row.isEqual(base.slots, fresh.slots, slot, property.kind)
            if !isSame { kept.remove(slot) }
        }
        return kept
    }

    /// Has the object's row inserted again by the save.
    private func insertAgain(_ context: NSManagedObjectContext) throws {
        for relationship in object.layout.relationships {
            switch relationship.storage {
            case .toOne:
                try dropMissingDestination(of: relationship)
                if relationship.inverse != nil, !relationship.isInverseToMany { regainPartner(of: relationship) }
            case .manyToMany, .hiddenForeignKey:
                guard let members = object.toManyIfKnown(relationship) else { continue }
                // Others may have deleted some of them meanwhile.
                if members.isLoaded { for member in members.objects where !isPresent(member) { members.forget(member) } }
                members.addAgain()
            case .oneToMany, .transient: break
            }
        }
        context.merging.reinsert(object)
        context.noteRefreshed(object)
    }

    /// Whether a to-one relationship's destination exists.
    private func isThere(_ relationship: RelationshipLayout) -> Bool {
        guard let destination = object.toOne(relationship) else { return false }
        return isPresent(destination)
    }

    /// Whether an object will be in the store after the save.
    private func isPresent(_ destination: NSManagedObject) -> Bool {
        guard !destination.isDeleted, !destination._state.contains(.gone) else { return false }
        guard destination.key > 0, !destination._state.contains(.inserted), let store = destination.registry.store?.store else {
            return true
        }
        // If the store can't be read, the save will say so.
        return (try? store.loadRows(destination.layout, keys: [destination.key]).isEmpty) != true
    }

    private func dropMissingDestination(of relationship: RelationshipLayout) throws {
        guard object.toOne(relationship) != nil, !isThere(relationship) else { return }
        guard relationship.isOptional else { throw NSMergeConflict.error([conflict]) }
        object.setToOne(relationship, nil)
    }

    /// The deletion may have cleared the other end of a one-to-one relationship, which may have another partner now.
    private func regainPartner(of relationship: RelationshipLayout) {
        guard let partner = object.toOne(relationship), partner !== object, let inverseID = relationship.inverse,
            let inverse = partner.layout.relationship(id: inverseID)
        else { return }
        partner.readAgain(inverseID, isToMany: false)
        switch partner.toOne(inverse) {
        case nil: partner.writeAndNoteToOne(inverse, object)
        case let other? where other !== object:
            object.writeToOne(relationship, nil)
            object.note(relationship)
        default: break
        }
    }
}
