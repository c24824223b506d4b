import DataModel
import Storage

extension NSManagedObject {
    final func isAlive(in context: NSManagedObjectContext) -> Bool { self.context === context && !_state.contains(.deleted) }

    // MARK: Recording

    /// Keeps the present values before the first change of this event, if no snapshot has them.
    final func keepImage() {
        guard _state.contains(.changedBefore), _state.isDisjoint(with: [.eventInserted, .eventUpdated]) else { return }
        context?.event.log.addImage(of: self)
    }

    /// Notes a change of a relationship, if it may be needed.
    @inline(__always) final func record(_ relationship: RelationshipLayout, _ change: @autoclosure () -> LinkChange.Change) {
        guard let context, context.undoing.recordsLinks || _state.contains(.changedBefore) else { return }
        context.event.log.add(LinkChange(owner: self, relationship: relationship.index, change: change()))
    }

    /// The slots of attributes whose value differs from that in another row.
    final func valueSlots(differingFrom before: Row) -> SlotMask {
        var result = SlotMask()
        guard let row else { return result }
        let (old, new) = (before.slots, row.slots)
        let marked = markedSlots
        for slot in 0..<layout.slotCount where marked.contains(slot) {
            let kind = layout.kind(slot)
            switch kind {
            case .toOne, .entityIndex, .toMany, .vacant: continue
            default: if !Row.isEqual(old, new, slot, kind) { result.insert(slot) }
            }
        }
        return result
    }

    /// Loads all that is needed to restore a deleted object after its row is gone.
    /// - Returns: false if its row is gone already.
    final func loadForRestoring() -> Bool {
        guard !_state.contains(.inserted) else { return true }
        if row == nil { row = context?.freshRow(of: self) }
        // An object that is not in the list turned out to be inaccessible.
        guard row != nil, _state.contains(.inDeletedList) else { return false }
        for relationship in layout.storedRelationships {
            if relationship.isToMany { _ = toMany(relationship).objects } else { _ = toOne(relationship) }
        }
        return true
    }

    /// The destinations of the relationships, as far as they are known without asking the store.
    final var knownDestinations: [[NSManagedObject]?] {
        layout.relationships.map { relationship in
            guard let link = links?[relationship.index] else { return nil }
            guard relationship.isToMany else { return [unsafeDowncast(link, to: NSManagedObject.self)] }
            let members = unsafeDowncast(link, to: _ToManyObjects.self)
            return members.isLoaded ? members.objects : nil
        }
    }

    // MARK: Taking back

    final func takeBack(_ update: UndoStep.Update) {
        makeDraftIfNeeded()
        // A fault whose row is gone has just become a deleted object.
        guard !_state.contains(.deleted), let row else { return }
        noteChange()
        let old = update.row.slots
        for slot in 0..<layout.slotCount where update.slots.contains(slot) {
            row.copySlot(slot, from: old)
            markChanged(slot)
        }
        awake(fromSnapshotEvents: .undoUpdate)
    }

    /// Undoes a change of a relationship, only on this side. The change of the other side was recorded, too.
    final func takeBack(_ change: LinkChange.Change, _ relationship: RelationshipLayout) {
        guard let context, !_state.contains(.deleted) else { return }
        switch change {
        case .destination(let old):
            writeAndNoteToOne(relationship, old.flatMap { $0.isAlive(in: context) ? $0 : nil })
        case .added(let member, _):
            takeMember(member, from: relationship)
        case .removed(let member, let position):
            guard member.isAlive(in: context) else { return }
            putMember(member, into: relationship, at: relationship.isOrdered && position >= 0 ? position : nil)
        case .reordered(let old):
            let members = toMany(relationship)
            let known = old.filter(members.contains)
            let others = Set(known.map(ObjectIdentifier.init))
            setOrder(of: relationship, known + members.objects.filter { !others.contains(ObjectIdentifier($0)) })
        }
    }

    /// Removes this object from a destination that others had given it after the undone step. The step has no record of
    /// that side.
    final func letGo(of former: NSManagedObject, _ relationship: RelationshipLayout) {
        guard let context, former.isAlive(in: context), toOne(relationship) !== former,
            let inverse = relationship.inverse.flatMap({ former.layout.relationship(id: $0) })
        else { return }
        guard inverse.isToMany else {
            if former.toOne(inverse) === self { former.writeAndNoteToOne(inverse, nil) }
            return
        }
        let members = former.toMany(inverse)
        let isMember =
            members.isLoaded ? members.position(of: self) != nil : committedDestinations(relationship).first === former
        if isMember { former.takeMember(self, from: inverse) }
    }

    /// Turns an object whose row is gone into a new object.
    final func becomeNew() {
        guard let old = row else { return }
        let draft = old.makeDraft()
        draft.version = 0
        row = draft
        _slots = draft.slots
        snapshot = nil
        for slot in 0..<layout.slotCount where layout.slots[slot].isPersistent && !draft.isNil(slot) { markChanged(slot) }
    }

    /// Gives its former relationships to an object that came back as a new one.
    final func setDestinations(_ destinations: [[NSManagedObject]?]) {
        clearLinks()
        for (relationship, objects) in zip(layout.relationships, destinations) {
            guard let objects else { continue }
            if relationship.isToMany {
                toMany(relationship).replace(with: objects)
                if !objects.isEmpty { markChanged(relationship.slot) }
            } else if let object = objects.first {
                setLink(relationship.index, object)
            }
        }
    }

    /// Notes a change for a destination that has another ID now.
    final func renewReferences(of relationship: RelationshipLayout, to returned: Set<ObjectIdentifier>) {
        guard let link = links?[relationship.index] else { return }
        if relationship.isToMany {
            if unsafeDowncast(link, to: _ToManyObjects.self).addAgain(where: { returned.contains(ObjectIdentifier($0)) }) {
                note(relationship)
            }
        } else if returned.contains(ObjectIdentifier(link)) {
            writeAndNoteToOne(relationship, unsafeDowncast(link, to: NSManagedObject.self))
        }
    }

    /// Sets the keys of to-one relationships to those of the linked objects, since some may have come back under new
    /// keys.
    final func updateForeignKeys() { updateForeignKeys(layout.relationships.filter { $0.storage == .toOne }) }

    /// - Returns: true if the object was among the changed ones and no longer is.
    final func becomeCleanIfUnchanged() -> Bool {
        guard _state.contains(.updated), _state.isDisjoint(with: [.inserted, .deleted]),
            changedSlots(persistentOnly: false).isEmpty
        else {
            return false
        }
        if let snapshot {
            row = snapshot
            if _slots != nil { _slots = snapshot.slots }
        }
        snapshot = nil
        clearChangedMask()
        _state.subtract([.updated, .draft, .writable, .changedBefore])
        return true
    }
}

extension RelationshipLayout {
    /// Whether the relationship is stored and has no inverse.
    var isOneWay: Bool { inverse == nil && storage != .transient }
}
