import DataModel
import Storage

/// The changes that a save is about to write, for the observers that are told after the save.
struct SavedRound {
    private var changes: [ObjectIdentifier: RoundChange] = [:]

    /// Writes down the last saved values, which are not known after the save. Objects to be deleted are loaded.
    init(_ context: NSManagedObjectContext) {
        context.loadTogether(context.changeLists.deleted)
        var owners: [Int: [NSManagedObject]] = [:]
        for object in context.changeLists.updated where object.isUpdated {
            for relationship in object.layout.relationships where relationship.isToMany {
                guard let link = object.links?[relationship.index], object.hasFault(forRelationshipNamed: relationship.name),
                    unsafeDowncast(link, to: _ToManyObjects.self).hasChanges
                else { continue }
                owners[relationship.id, default: []].append(object)
            }
        }
        context.loadMembersTogether(owners)
        for object in context.changeLists.updated where object.isUpdated {
            // Members that can't be read count as changed.
            if object.links != nil { try? object.loadChangedMembers(object.layout.relationships.filter(\.isToMany)) }
            let slots = object.changedSlots(persistentOnly: true)
            guard let row = object.snapshot ?? object.row else {
                changes[ObjectIdentifier(object)] = .init(before: nil, slots: slots)
                continue
            }
            var image = ObjectImage(row: row)
            for relationship in object.layout.relationships where relationship.isToMany && slots.contains(relationship.slot) {
                image.members[relationship.index] = object.committedDestinations(relationship)
            }
            changes[ObjectIdentifier(object)] = .init(before: image, slots: slots)
        }
        // This save does not delete objects that others have deleted.
        for object in context.changeLists.deleted where object.isDeleted && !object._state.contains(.deletedElsewhere) {
            let known = object.snapshot ?? object.lastKnownRow
            changes[ObjectIdentifier(object)] = .init(before: known.map { ObjectImage(row: $0) }, slots: SlotMask())
        }
        for object in context.changeLists.inserted where object.isPendingInsert {
            changes[ObjectIdentifier(object)] = .init(before: nil, slots: object.slotsSetAfterInsertion)
        }
    }

    /// The saved objects that changed, without those that were only set to the values they had.
    func changed(_ list: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
        list.filter { object in changes[ObjectIdentifier(object)].map { !($0.slots?.isEmpty ?? false) } ?? true }
    }

    /// The deleted objects whose rows the save deleted.
    func deleted(_ list: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
        list.filter { changes[ObjectIdentifier($0)] != nil }
    }

    /// Removes objects whose rows turned out to be gone already.
    mutating func leaveOut(_ objects: [NSManagedObject]) {
        for object in objects { changes[ObjectIdentifier(object)] = nil }
    }

    func past(in context: NSManagedObjectContext) -> RoundPast { RoundPast(context, saved: changes) }
}
