import DataModel
import Foundation
import Storage

/// Relationships: reading, setting, and keeping both sides consistent.
extension NSManagedObject {
    /// The destination of a to-one relationship: a fault if it is not loaded.
    public final func _toOne(_ slot: Int) -> NSManagedObject? {
        let slots = _loadedSlots
        if Row.isNil(slots, slot) { return nil }
        let index = registry.record.pointee.layout._withUnsafeGuaranteedRef { $0.relationshipIndex(slot) }
        guard index >= 0 else { return nil }
        if let link = links?[index] { return unsafeDowncast(link, to: NSManagedObject.self) }
        return resolveToOne(index, slots)
    }

    /// Sets a to-one relationship, and its inverse.
    public final func _setToOne(_ slot: Int, _ value: NSManagedObject?) {
        guard let relationship = layout.relationship(slot: slot) else { return }
        setToOne(relationship, value)
    }

    /// The members of a to-many relationship.
    public final func _toMany(_ slot: Int) -> _ToManyObjects {
        guard let relationship = layout.relationship(slot: slot) else {
            fatalError("Slot \(slot) of entity “\(layout.name)” is not a to-many relationship")
        }
        return toMany(relationship)
    }

    /// Sets a to-many relationship, and the inverse of the members that are added or removed.
    public final func _setToMany(_ slot: Int, _ value: [NSManagedObject]) {
        guard let relationship = layout.relationship(slot: slot) else { return }
        setToMany(relationship, value)
    }

    // MARK: Reading

    final func toOne(_ relationship: RelationshipLayout) -> NSManagedObject? { _toOne(relationship.slot) }

    @inline(never)
    private final func resolveToOne(_ index: Int, _ slots: Row.Slots) -> NSManagedObject? {
        let (entity, key) = registry.record.pointee.layout._withUnsafeGuaranteedRef { layout in
            let relationship = layout.relationships[index]
            let entity = relationship.entitySlot.flatMap { Row.isNil(slots, $0) ? nil : Int(slots[$0]) }
            return (entity ?? relationship.destination, Int64(bitPattern: slots[relationship.slot]))
        }
        guard let object = findDestination(entity: entity, key: key) else { return nil }
        setLink(index, object)
        return object
    }

    /// The object for a key in a row of this object: a fault if it was not known. One that is registered is found by a few
    /// loads, and without asking the context.
    @inline(__always) final func findDestination(entity: Int, key: Int64) -> NSManagedObject? {
        if key > 0, let known = registry.neighbour(entity)?.object(key) { return known }
        return context?.destination(of: self, entity: entity, key: key)
    }

    /// The members, as far as they are known; nil if the relationship was never read or changed, or is a to-one
    /// relationship.
    @inline(__always) final func toManyIfKnown(_ relationship: RelationshipLayout) -> _ToManyObjects? {
        guard relationship.isToMany, let link = links?[relationship.index] else { return nil }
        return unsafeDowncast(link, to: _ToManyObjects.self)
    }

    final func toMany(_ relationship: RelationshipLayout) -> _ToManyObjects {
        if let link = links?[relationship.index] { return unsafeDowncast(link, to: _ToManyObjects.self) }
        // A new object has no rows that point at it yet. An object that is neither in a store nor in a parent has
        // nothing to load either.
        let isNew = _state.contains(.inserted) || context == nil || registry.store == nil && context?.parent == nil
        let isImage = _state.contains(.image)
        let members = _ToManyObjects(
            owner: self, relationship: relationship, isLoaded: !isImage && isNew || relationship.storage == .transient)
        setLink(relationship.index, members)
        if isImage { members.adopt(original?.toMany(relationship).objects ?? []) }
        return members
    }

    final func loadMembers(of relationship: RelationshipLayout) throws -> [NSManagedObject] {
        try context?.loadMembers(of: relationship, owner: self) ?? []
    }

    final func setLink(_ index: Int, _ object: AnyObject?) {
        if links == nil {
            let count = layout.relationships.count
            links = .allocate(capacity: count)
            links?.initialize(repeating: nil, count: count)
        }
        links?[index] = object
    }

    final func clearLinks() {
        guard let links else { return }
        links.deinitialize(count: layout.relationships.count)
        links.deallocate()
        self.links = nil
        _state.remove(.hasOlderMembers)
    }

    // MARK: Writing one side

    /// Sets only the key and the link.
    final func writeToOne(_ relationship: RelationshipLayout, _ value: NSManagedObject?) {
        makeDraftIfNeeded()
        guard let row else { return }
        if let value {
            Row.setScalar(row.slots, relationship.slot, UInt64(bitPattern: value.key))
            if let entitySlot = relationship.entitySlot { Row.setScalar(row.slots, entitySlot, UInt64(value.layout.index)) }
        } else {
            row.setNil(relationship.slot)
            if let entitySlot = relationship.entitySlot { row.setNil(entitySlot) }
        }
        setLink(relationship.index, value)
    }

    final func writeAndNoteToOne(_ relationship: RelationshipLayout, _ value: NSManagedObject?) {
        prepareChange(relationship.slot)
        makeDraftIfNeeded()
        record(relationship, .destination(toOne(relationship)))
        note(relationship)
        writeToOne(relationship, value)
    }

    final func note(_ relationship: RelationshipLayout) {
        markChanged(relationship.slot)
        if let entitySlot = relationship.entitySlot { markChanged(entitySlot) }
        noteChange()
    }

    final func addMember(_ relationshipID: Int, _ member: NSManagedObject, isBlind: Bool = false) {
        guard let relationship = layout.relationship(id: relationshipID) else { return }
        putMember(member, into: relationship, isBlind: isBlind)
    }

    final func removeMember(_ relationshipID: Int, _ member: NSManagedObject, isBlind: Bool = false) {
        guard let relationship = layout.relationship(id: relationshipID) else { return }
        takeMember(member, from: relationship, isBlind: isBlind)
    }

    /// Adds a member on this side only.
    ///
    /// - Parameter isBlind: see `_ToManyObjects.insert(_:at:isBlind:)`.
    /// - Returns: false if it was a member already.
    @discardableResult
    final func putMember(
        _ member: NSManagedObject, into relationship: RelationshipLayout, at index: Int? = nil, isBlind: Bool = false
    ) -> Bool {
        prepareChange(relationship.slot)
        let members = toMany(relationship)
        guard members.insert(member, at: index, isBlind: isBlind) else { return false }
        record(relationship, .added(member, members.isLoaded ? min(index ?? .max, members.count - 1) : -1))
        note(relationship)
        return true
    }

    /// Removes a member on this side only.
    /// - Returns: false if it was not a member.
    @discardableResult
    final func takeMember(_ member: NSManagedObject, from relationship: RelationshipLayout, isBlind: Bool = false) -> Bool {
        prepareChange(relationship.slot)
        let members = toMany(relationship)
        // Undo needs the member's position, to put it back there.
        if relationship.isOrdered, context?.undoing.recordsLinks == true { _ = members.objects }
        let position = relationship.isOrdered && members.isLoaded ? members.position(of: member) ?? -1 : -1
        guard members.remove(member, isBlind: isBlind) else { return false }
        record(relationship, .removed(member, position))
        note(relationship)
        return true
    }

    /// Reorders the members, which stay the same.
    final func setOrder(of relationship: RelationshipLayout, _ order: [NSManagedObject]) {
        prepareChange(relationship.slot)
        let members = toMany(relationship)
        let old = members.objects
        guard old.count == order.count, !zip(old, order).allSatisfy({ $0 === $1 }) else { return }
        members.reorder(order)
        record(relationship, .reordered(old))
        note(relationship)
    }

    // MARK: Setting both sides

    final func setToOne(_ relationship: RelationshipLayout, _ value: NSManagedObject?) {
        settingRelationship(relationship.slot) { setBothSides(of: relationship, value) }
    }

    private final func setBothSides(of relationship: RelationshipLayout, _ value: NSManagedObject?) {
        if let value, !isDestination(value, relationship) { return }
        if _state.contains(.awakening) { return writeToOne(relationship, value) }
        let old = toOne(relationship)
        guard old !== value else { return }
        writeAndNoteToOne(relationship, value)
        guard let inverseID = relationship.inverse else { return }
        // An object that is gone is left alone. The save reports the dangling reference.
        setInverse(of: relationship, inverseID, from: old?.isGone == true ? nil : old, to: value?.isGone == true ? nil : value)
    }

    private final func setInverse(
        of relationship: RelationshipLayout, _ inverseID: Int, from old: NSManagedObject?, to value: NSManagedObject?
    ) {
        if relationship.isInverseToMany {
            old?.removeMember(inverseID, self)
            value?.addMember(inverseID, self)
        } else {
            if let old, let inverse = old.layout.relationship(id: inverseID) { leave(old, inverse) }
            guard let value, let inverse = value.layout.relationship(id: inverseID) else { return }
            if let displaced = value.toOne(inverse), displaced !== self,
                let relationship = displaced.layout.relationship(id: relationship.id)
            {
                value.leave(displaced, relationship)
            }
            // The other side may agree already, if both were read at different times. It is written all the same, so
            // that the save checks both sides.
            if value !== self || value.toOne(inverse) !== self { value.writeAndNoteToOne(inverse, self) }
        }
    }

    /// Takes this object from a partner's to-one relationship. If the partner has another object, or none, the store
    /// may differ from it, so the save must check it.
    private final func leave(_ partner: NSManagedObject, _ relationship: RelationshipLayout) {
        if partner.toOne(relationship) === self { return partner.writeAndNoteToOne(relationship, nil) }
        context?.merging.doubt(partner, of: self)
    }

    final func setToMany(_ relationship: RelationshipLayout, _ value: [NSManagedObject]) {
        settingRelationship(relationship.slot) { setAllMembers(of: relationship, value) }
    }

    private final func setAllMembers(of relationship: RelationshipLayout, _ value: [NSManagedObject]) {
        var seen: Set<ObjectIdentifier> = []
        let wanted = value.filter { seen.insert(ObjectIdentifier($0)).inserted && isDestination($0, relationship) }
        let members = toMany(relationship)
        if _state.contains(.awakening) { return members.replace(with: wanted) }
        // Backwards: removing the last member moves no others.
        for object in members.objects.reversed() where !seen.contains(ObjectIdentifier(object)) {
            removeObject(object, from: relationship)
        }
        for object in wanted where !members.isLoaded || members.position(of: object) == nil {
            addObject(object, to: relationship)
        }
        if relationship.isOrdered { setOrder(of: relationship, wanted) }
    }

    /// Adds one member, with its inverse.
    final func addObject(_ object: NSManagedObject, to relationship: RelationshipLayout, at index: Int? = nil) {
        settingRelationship(relationship.slot) { addBothSides(object, to: relationship, at: index) }
    }

    private final func addBothSides(_ object: NSManagedObject, to relationship: RelationshipLayout, at index: Int?) {
        guard isDestination(object, relationship) else { return }
        let isMember = isMember(object, relationship)
        let isBlind = isMember == nil && !toMany(relationship).isLoaded
        guard isMember != true, putMember(object, into: relationship, at: index, isBlind: isBlind), !object.isGone else { return }
        guard let inverseID = relationship.inverse, let inverse = object.layout.relationship(id: inverseID) else { return }
        if relationship.isInverseToMany {
            object.addMember(inverseID, self, isBlind: isBlind)
        } else {
            let old = object.toOne(inverse)
            guard old !== self else { return }
            old?.removeMember(relationship.id, object)
            object.writeAndNoteToOne(inverse, self)
        }
    }

    /// Whether an object is a member. If the members are not loaded, the other side answers as far as it knows. The
    /// members are loaded if an undo step needs them.
    private final func isMember(_ object: NSManagedObject, _ relationship: RelationshipLayout) -> Bool? {
        let members = toMany(relationship)
        if members.isLoaded || object.isGone { return nil }
        if let inverse = relationship.inverse.flatMap(object.layout.relationship(id:)) {
            guard relationship.isInverseToMany else { return object.toOne(inverse) === self }
            // Both sides must agree on what was there before.
            if let owners = object.toManyIfKnown(inverse), owners.isLoaded { return owners.contains(self) }
        }
        return context?.undoing.recordsLinks == true ? members.contains(object) : nil
    }

    /// Removes one member, with its inverse.
    final func removeObject(_ object: NSManagedObject, from relationship: RelationshipLayout) {
        settingRelationship(relationship.slot) { removeBothSides(object, from: relationship) }
    }

    private final func removeBothSides(_ object: NSManagedObject, from relationship: RelationshipLayout) {
        let isMember = isMember(object, relationship)
        let isBlind = isMember == nil && !toMany(relationship).isLoaded
        guard isMember != false, takeMember(object, from: relationship, isBlind: isBlind), !object.isGone else { return }
        guard let inverseID = relationship.inverse, let inverse = object.layout.relationship(id: inverseID) else { return }
        if relationship.isInverseToMany {
            object.removeMember(inverseID, self, isBlind: isBlind)
        } else {
            leave(object, inverse)
        }
    }

    /// Removes a deleted object from the relationships of its destinations.
    final func nullify(_ relationship: RelationshipLayout) {
        guard let inverseID = relationship.inverse else { return }
        let destinations = relationship.isToMany ? toMany(relationship).objects : (toOne(relationship).map { [$0] } ?? [])
        // What this object has read may be newer than its destinations in the context.
        for destination in destinations where destination._state.contains(.deletedElsewhere) { destination.comeBack() }
        for destination in destinations where destination !== self && !destination.isDeleted && !destination.isGone {
            if relationship.isInverseToMany {
                destination.removeMember(inverseID, self)
            } else if destination._state.contains(.unread) {
                destination.noteUnreadReading()
            } else if let inverse = destination.layout.relationship(id: inverseID) {
                leave(destination, inverse)
            }
        }
    }

    /// Stops the program for a value that the relationship can't hold. The answer is false for an object that could not
    /// be read, and in batch requests: such objects can't be related to others.
    private final func isDestination(_ value: NSManagedObject, _ relationship: RelationshipLayout) -> Bool {
        if value.isPlaceholder { return false }
        if !value._state.isDisjoint(with: [.deleted, .gone]) { value._state.insert(.wasSetWhenGone) }
        let model = registry.runtime.layout
        guard value.registry.runtime === registry.runtime else {
            if value.layout.name == model.entities[relationship.destination].name { return otherContext(relationship, value) }
            badDestination(value, relationship)
        }
        if value.layout.index != relationship.destination,
            !value.layout.description.isKindOf(entity: model.entities[relationship.destination].description)
        {
            badDestination(value, relationship)
        }
        if value.registry.record.pointee.context?.toOpaque() != registry.record.pointee.context?.toOpaque(), !value.isGone {
            return otherContext(relationship, value)
        }
        return true
    }

    /// - Returns: false in a batch request, which then ends with an error. Otherwise the program is stopped.
    private final func otherContext(_ relationship: RelationshipLayout, _ value: NSManagedObject) -> Bool {
        if ScratchContext.refuse(relationship.name, between: managedObjectContext, value.managedObjectContext) { return false }
        let advice =
            if managedObjectContext == nil {
                "The source has no context: insert it into the destination's context first."
            } else if value.managedObjectContext == nil {
                "The destination has no context: insert it into the source's context first."
            } else if value.objectID.isTemporaryID {
                "The destination was never saved, so no other context can have it: save its context first, and then use object(with:) of the "
                    + "source's context to get it there; or make it in the source's context."
            } else {
                "Use object(with:) of the source's context to get the destination there."
            }
        fatalError(
            "Illegal attempt to establish a relationship '\(relationship.name)' between objects in different contexts (source = "
                + "\(objectID), destination = \(value.objectID)). \(advice)")
    }

    // MARK: Primitive changes announced by willChangeValue and didChangeValue

    final func beginChange(of key: String) {
        _ = _loadedSlots
        // The old value can be read only now, and not when the change is noted.
        if _state.contains(.isObserved), let slot = layout.slotByName[key] { willChangeObserved(slot) }
        // The image is kept now, because the primitive value changes before the change is noted.
        keepImage()
        guard let relationship = layout.relationship(named: key), let context else { return }
        let old = relationship.isToMany ? toMany(relationship).objects : (toOne(relationship).map { [$0] } ?? [])
        context.event.announce(AnnouncedChange(object: ObjectIdentifier(self), slot: relationship.slot), from: old)
    }

    final func endChange(of key: String) {
        guard let slot = layout.slotByName[key] else { return }
        guard let relationship = layout.relationship(slot: slot) else {
            _ = _prepareWrite(slot)
            if _state.contains(.isObserved) { didChangeObserved(slot) }
            return
        }
        let announced = AnnouncedChange(object: ObjectIdentifier(self), slot: slot)
        let given = context?.event.takeGivenSet(announced)
        guard let old = context?.event.takeAnnounced(announced) else { return note(relationship) }
        // Sets the old value back, so that the setter finds what changed.
        if relationship.isToMany {
            let new = given.map { destinations($0, of: relationship) } ?? toMany(relationship).objects
            toMany(relationship).replace(with: old)
            setToMany(relationship, new)
        } else {
            let new = toOne(relationship)
            writeToOne(relationship, old.first)
            setToOne(relationship, new)
        }
        note(relationship)
    }
}

/// A relationship that is between `willChangeValue(forKey:)` and `didChangeValue(forKey:)`.
struct AnnouncedChange: Hashable {
    let object: ObjectIdentifier
    let slot: Int
}
