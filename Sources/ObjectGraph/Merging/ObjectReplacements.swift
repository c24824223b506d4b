import DataModel
import Foundation
import Storage

/// Merges objects that stand for the same thing: moves the belongings of those that are removed to those that stay,
/// then deletes the former.
struct ObjectReplacements {
    /// The values that the object that stays takes over. It always takes over members of to-many relationships.
    enum Values {
        case none
        /// The values that were set in a new object, except for some properties.
        case set(except: SlotMask)
    }

    private var survivors: [ObjectIdentifier: NSManagedObject] = [:]
    /// The removed objects in order, including those without a survivor.
    private var leaving: [NSManagedObject] = []
    private var gone: Set<ObjectIdentifier> = []

    private mutating func note(_ object: NSManagedObject, _ survivor: NSManagedObject?) {
        survivors[ObjectIdentifier(object)] = survivor
        leaving.append(object)
        gone.insert(ObjectIdentifier(object))
    }

    func contains(_ object: NSManagedObject) -> Bool { gone.contains(ObjectIdentifier(object)) }

    // MARK: Replacing

    mutating func replace(_ object: NSManagedObject, by survivor: NSManagedObject, taking values: Values) {
        _ = object._loadedSlots
        _ = survivor._loadedSlots
        let taken = takenSlots(object, values)
        for (slot, property) in object.layout.slots.enumerated() where property.attribute != nil && taken.contains(slot) {
            takeAttribute(slot, of: object, into: survivor)
        }
        for relationship in object.layout.storedRelationships {
            let target = survivor.layout.relationship(id: relationship.id)
            if relationship.isToMany {
                moveMembers(of: object, relationship, to: survivor, target)
            } else {
                moveDestination(of: object, relationship, to: survivor, target, isTaken: taken.contains(relationship.slot))
            }
        }
        note(object, survivor)
    }

    private func takenSlots(_ object: NSManagedObject, _ values: Values) -> SlotMask {
        guard case .set(let exceptions) = values else { return SlotMask() }
        var slots = object.markedSlots
        for slot in exceptions { slots.remove(slot) }
        return slots
    }

    private func takeAttribute(_ slot: Int, of object: NSManagedObject, into survivor: NSManagedObject) {
        guard object.layout !== survivor.layout else {
            guard let row = object.row, let current = survivor.row,
                !Row.isEqual(row.slots, current.slots, slot, object.layout.kind(slot))
            else { return }
            _ = survivor._prepareWrite(slot)
            survivor.row?.copySlot(slot, from: row.slots)
            return
        }
        let name = object.layout.slots[slot].name
        guard let target = survivor.layout.slotByName[name], survivor.layout.kind(target) == object.layout.kind(slot) else {
            return
        }
        survivor._setObject(target, object._object(slot))
    }

    private func moveMembers(
        of object: NSManagedObject, _ relationship: RelationshipLayout, to survivor: NSManagedObject,
        _ target: RelationshipLayout?
    ) {
        for member in object.toMany(relationship).objects {
            guard let target, member !== survivor, member !== object, !member.isDeleted else {
                object.removeObject(member, from: relationship)
                continue
            }
            let position = relationship.isInverseOrdered ? position(of: object, in: member, relationship) : nil
            if relationship.storage != .oneToMany { object.removeObject(member, from: relationship) }
            survivor.addObject(member, to: target)
            if let position { put(survivor, at: position, in: member, relationship) }
        }
    }

    private func moveDestination(
        of object: NSManagedObject, _ relationship: RelationshipLayout, to survivor: NSManagedObject,
        _ target: RelationshipLayout?, isTaken: Bool
    ) {
        let destination = object.toOne(relationship)
        let position =
            relationship.isInverseOrdered ? destination.flatMap { self.position(of: object, in: $0, relationship) } : nil
        if destination != nil { object.setToOne(relationship, nil) }
        guard let target, destination !== survivor else { return }
        guard let destination, destination !== object, !destination.isDeleted else {
            if isTaken, destination == nil { survivor.setToOne(target, nil) }
            return
        }
        // At the other end of a one-to-one relationship, the destination points at the object that is removed.
        let isInbound = relationship.inverse != nil && !relationship.isInverseToMany && survivor.toOne(target) == nil
        guard isTaken || isInbound else { return }
        survivor.setToOne(target, destination)
        if let position { put(survivor, at: position, in: destination, relationship) }
    }

    /// The position of an object among the ordered members of a destination of its relationship.
    private func position(of object: NSManagedObject, in destination: NSManagedObject, _ relationship: RelationshipLayout) -> Int?
    {
        guard let inverse = relationship.inverse.flatMap({ destination.layout.relationship(id: $0) }) else { return nil }
        return destination.toMany(inverse).objects.firstIndex { $0 === object }
    }

    private func put(
        _ object: NSManagedObject, at position: Int, in destination: NSManagedObject, _ relationship: RelationshipLayout
    ) {
        guard let inverse = relationship.inverse.flatMap({ destination.layout.relationship(id: $0) }) else { return }
        let members = destination.toMany(inverse)
        var order = members.objects
        guard let current = order.firstIndex(where: { $0 === object }), position < order.count, position != current else {
            return
        }
        order.remove(at: current)
        order.insert(object, at: position)
        members.reorder(order)
        destination.note(inverse)
    }

    // MARK: Discarding

    /// Removes a new object from the graph. Saved objects that were related to it return to their former state.
    mutating func discard(_ object: NSManagedObject) {
        for relationship in object.layout.storedRelationships {
            guard relationship.isToMany else {
                object.setToOne(relationship, nil)
                continue
            }
            for member in object.toMany(relationship).objects {
                let inverse = relationship.inverse.flatMap { member.layout.relationship(id: $0) }
                if let inverse, !inverse.isToMany, !member.isInserted, let committed = member.snapshot,
                    let former = member.destination(of: inverse, in: committed)
                {
                    member.setToOne(inverse, former)
                } else {
                    object.removeObject(member, from: relationship)
                }
            }
        }
        note(object, nil)
    }

    // MARK: The end

    /// Points relationships without inverse at the objects that stay, and deletes the others.
    func finish() {
        guard let context = leaving.first(where: { $0.context != nil })?.context else { return }
        for object in [context.changeLists.inserted, context.changeLists.updated].joined()
        where object.hasChanges && !object.isDeleted {
            for relationship in object.layout.storedRelationships
            where relationship.inverse == nil {
                guard let link = object.links?[relationship.index] else { continue }
                if let members = link as? _ToManyObjects {
                    for member in members.added.values where gone.contains(ObjectIdentifier(member)) {
                        object.removeObject(member, from: relationship)
                        if let survivor = survivor(of: member) { object.addObject(survivor, to: relationship) }
                    }
                } else if gone.contains(ObjectIdentifier(link)), let destination = link as? NSManagedObject {
                    object.setToOne(relationship, survivor(of: destination))
                }
            }
        }
        for object in leaving where object.context === context && !object.isDeleted { context.delete(object) }
    }

    private func survivor(of object: NSManagedObject) -> NSManagedObject? {
        var current = survivors[ObjectIdentifier(object)]
        while let next = current.flatMap({ survivors[ObjectIdentifier($0)] }) { current = next }
        return current
    }
}
