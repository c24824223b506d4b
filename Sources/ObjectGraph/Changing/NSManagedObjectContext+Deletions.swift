import DataModel
import Foundation
import Storage

/// Objects whose row others deleted, and deletions that are undone.
extension NSManagedObjectContext {
    /// Marks an object as deleted, because its row is gone from the store. Its unsaved changes are lost, and its
    /// destinations no longer have it.
    final func mergeDeletion(of object: NSManagedObject) {
        guard object._state.isDisjoint(with: [.inserted, .deletedElsewhere, .gone]) else { return }
        if object._state.contains(.deleted) {
            object._state.insert(.deletedElsewhere)
            return
        }
        object.detachFromDestinations()
        if object._state.contains(.updated) { changeLists.noteStaleEntry() }
        // It stays `changedBefore`: observers were last told of its own values, not of the saved ones.
        object._state.subtract([.updated, .eventUpdated])
        changeLists.delete(object, as: [.deleted, .deletedElsewhere, .deletedByMerge])
    }

    /// Removes objects whose row is gone from the loaded relationships of other objects. An object does not know all
    /// objects that have loaded it.
    final func forget(_ objects: [NSManagedObject]) {
        var gone: [Int: [NSManagedObject]] = [:]
        for object in objects {
            for relationship in object.layout.relationships {
                if let inverse = relationship.inverse { gone[inverse, default: []].append(object) }
            }
        }
        guard !gone.isEmpty else { return }
        let all = Set(objects.map(ObjectIdentifier.init))
        for owner in allObjects where owner.links != nil && !all.contains(ObjectIdentifier(owner)) {
            for relationship in owner.layout.relationships {
                guard let objects = gone[relationship.id], let link = owner.links?[relationship.index] else { continue }
                if let members = link as? _ToManyObjects {
                    for object in objects where members.holds(object) {
                        owner.keepReplacedState()
                        members.forget(object)
                    }
                } else if all.contains(ObjectIdentifier(link)) {
                    owner.links?[relationship.index] = nil
                }
            }
        }
    }

    /// Applies the delete rules once more to objects that this context deletes and that others have changed: they may
    /// have new members.
    final func applyDeleteRulesAgain(to objects: [NSManagedObject]) {
        for object in objects where object.context === self && object.isDeleted && !object._state.contains(.deletedElsewhere) {
            object.readDestinationsAgain()
            // As when the deletion is processed, its new owners have it as long as they have not lost it.
            let isPending = object._state.contains(.eventDeleted)
            object._state.insert(.eventDeleted)
            applyDeleteRules(object)
            if !isPending { object._state.remove(.eventDeleted) }
        }
    }

    /// Undoes the deletion of an object whose row others have changed. The object gets the row's values.
    final func restore(_ object: NSManagedObject, with fresh: Row, as event: NSSnapshotEventType = .mergePolicy) {
        object._state.subtract([.deleted, .eventDeleted, .eventUpdated])
        changeLists.noteStaleEntry()
        object.clearLinks()
        object.becomeUnchanged(fresh)
        object.attachToDestinations()
        changeLists.addToEvent(inserted: object)
        object.awake(fromSnapshotEvents: event)
    }

    /// Handles the return of a row that others had deleted.
    final func mergeReturn(of object: NSManagedObject, with fresh: Row) {
        let isDeletedByMerge = object._state.contains(.deletedByMerge)
        object._state.subtract([.deletedElsewhere, .deletedByMerge])
        // An object that was deleted here as well stays deleted.
        guard isDeletedByMerge else { return object.deleteVersion(fresh) }
        restore(object, with: fresh, as: .refresh)
        object.joinDestinations()
    }

    /// The objects among some whose rows are in the stores. A child does not ask, because its parent is told first.
    final func objectsWithRows(among objects: [NSManagedObject]) -> Set<NSManagedObject> {
        guard parent == nil, !objects.isEmpty else { return [] }
        var result: Set<NSManagedObject> = []
        for (_, objects) in Dictionary(grouping: objects, by: \.registry.record) {
            // If the store can't be read, only the notice is known.
            guard let store = objects[0].registry.store?.store,
                let rows = try? store.loadRows(objects[0].layout, keys: objects.map(\.key)), !rows.isEmpty
            else { continue }
            result.formUnion(objects.filter { rows[$0.key] != nil })
        }
        return result
    }
}

extension NSManagedObject {
    /// Handles the return of this object's row, if others had deleted it as far as this context knows.
    final func comeBack() {
        guard _state.contains(.deletedElsewhere), let context, context.parent == nil, let fresh = context.freshRow(of: self)
        else { return }
        context.mergeReturn(of: self, with: fresh)
    }

    /// Removes this object, which is gone from the store, from the loaded relationships of its destinations.
    /// Destinations that have it by an unsaved change are changed once more. For all others this is the state of the
    /// store.
    fileprivate final func detachFromDestinations() {
        let changed = changedSlots(persistentOnly: true)
        for relationship in layout.storedRelationships {
            guard let inverseID = relationship.inverse else { continue }
            if relationship.isToMany {
                guard let members = toManyIfKnown(relationship) else { continue }
                let added = Array(members.added.values)
                let known = members.isLoaded ? members.objects : added
                for member in known where !member.isDeleted && !member.isGone {
                    let isNew = members.added[ObjectIdentifier(member)] != nil
                    member.forget(self, inverseID, isToMany: relationship.isInverseToMany, isChange: isNew)
                }
                for member in members.removed.values {
                    member.forget(self, inverseID, isToMany: relationship.isInverseToMany, isChange: false)
                }
            } else if let row {
                let isChanged = changed.contains(relationship.slot)
                let present = links?[relationship.index] as? NSManagedObject ?? registered(row, relationship)
                present?.forget(self, inverseID, isToMany: relationship.isInverseToMany, isChange: isChanged)
                guard isChanged, let snapshot else { continue }
                registered(snapshot, relationship)?.forget(
                    self, inverseID, isToMany: relationship.isInverseToMany, isChange: false)
            }
        }
    }

    private final func registered(_ row: Row, _ relationship: RelationshipLayout) -> NSManagedObject? {
        guard !row.isNil(relationship.slot), row.integer(relationship.slot) > 0, let context, let store = registry.store else {
            return nil
        }
        return context.registries(store).registry(destinationEntity(of: relationship, in: row)).object(
            row.integer(relationship.slot))
    }

    /// - Parameter isChange: whether this object got the other one by an unsaved change.
    private final func forget(_ object: NSManagedObject, _ inverseID: Int, isToMany: Bool, isChange: Bool) {
        guard let inverse = layout.relationship(id: inverseID) else { return }
        if isToMany {
            guard let members = toManyIfKnown(inverse) else { return }
            keepReplacedState()
            members.forget(object)
            if isChange { note(inverse) }
        } else if isChange, toOne(inverse) === object {
            writeAndNoteToOne(inverse, nil)
        }
    }

    /// Reads members from the store again, with their side of the relationship, and takes over the destinations of
    /// to-one relationships that others have set.
    fileprivate final func readDestinationsAgain() {
        for relationship in layout.storedRelationships {
            guard let inverseID = relationship.inverse else { continue }
            guard relationship.isToMany else {
                readDestinationAgain(relationship, inverseID)
                continue
            }
            toManyIfKnown(relationship)?.rebase()
            guard !relationship.isInverseToMany else { continue }
            for member in toMany(relationship).objects where !member.isDeleted && !member.isFault {
                guard let inverse = member.layout.relationship(id: inverseID), member.toOne(inverse) !== self else { continue }
                member.readAgain(inverseID, isToMany: false)
            }
        }
    }

    /// Destinations that others gave to this object, which will be deleted, must lose it, too.
    private final func readDestinationAgain(_ relationship: RelationshipLayout, _ inverseID: Int) {
        guard !_state.contains(.unread), let committed = snapshot ?? row else { return }
        let stored =
            committed.isNil(relationship.slot)
            ? nil
            : context?.destination(
                of: self, entity: destinationEntity(of: relationship, in: committed), key: committed.integer(relationship.slot))
        guard stored !== self else { return }
        let isNew = stored !== toOne(relationship)
        // The destination may also be none, or one that is deleted here as well. The former destination must not lose
        // the object once more.
        if isNew { writeToOne(relationship, stored) }
        guard let stored, !stored.isDeleted else { return }
        if isNew {
            stored.readAgain(inverseID, isToMany: relationship.isInverseToMany)
        } else if !relationship.isInverseToMany, let inverse = stored.layout.relationship(id: inverseID),
            stored.toOne(inverse) !== self
        {
            stored.readAgain(inverseID, isToMany: false)
        }
    }

    /// Relates an object that came back to its destinations again, which have forgotten it.
    fileprivate final func joinDestinations() {
        for relationship in layout.storedRelationships {
            guard let inverseID = relationship.inverse, let row else { continue }
            if relationship.isToMany {
                for member in toMany(relationship).objects where !member.isDeleted {
                    if !relationship.isInverseToMany, member.isUpdated, let inverse = member.layout.relationship(id: inverseID),
                        member.toOne(inverse) !== self
                    {
                        takeMember(member, from: relationship)
                    } else {
                        member.readAgain(inverseID, isToMany: relationship.isInverseToMany)
                    }
                }
            } else if let destination = destination(of: relationship, in: row) {
                destination.readAgain(inverseID, isToMany: relationship.isInverseToMany)
            } else if !row.isNil(relationship.slot) {
                // The destination is deleted here.
                writeToOne(relationship, nil)
                note(relationship)
            }
        }
        giveUpTakenPartners()
    }

    /// Gives this object back to destinations that lost it by its deletion.
    fileprivate final func attachToDestinations() {
        for relationship in layout.storedRelationships {
            guard let inverseID = relationship.inverse, let row else { continue }
            let destinations =
                relationship.isToMany ? toMany(relationship).objects : [destination(of: relationship, in: row)].compactMap { $0 }
            for destination in destinations where !destination.isDeleted && !destination.isGone {
                guard let inverse = destination.layout.relationship(id: inverseID) else { continue }
                if inverse.isToMany {
                    guard let members = destination.toManyIfKnown(inverse),
                        members.removed[ObjectIdentifier(self)] != nil
                    else { continue }
                    destination.addMember(inverseID, self)
                } else if destination.toOne(inverse) == nil, let committed = destination.snapshot, !committed.isNil(inverse.slot),
                    committed.integer(inverse.slot) == key
                {
                    destination.writeAndNoteToOne(inverse, self)
                }
            }
        }
    }
}
