import DataModel
import Storage

/// Walks through a context and finds all contradictions. It loads nothing and changes nothing.
///
/// Inverses are checked where both sides are in memory. Deleted objects are left out, because delete rules may not have
/// been applied yet. The rules hold between any two calls of the public API, also in the middle of an event.
package final class GraphChecker {
    /// The rules that are checked.
    package enum Scope {
        /// The rules that hold under any changes of others and of the program: registries, lists, state bits, rows,
        /// members.
        case own
        /// Also that both sides of a relationship agree. They do, unless the context has not merged a save of others.
        /// The save finds a conflict then.
        case inverses
        /// Also that relationships lead to objects of the context. They do, unless the program has set an object that
        /// is gone or has no context yet. The save refuses such objects.
        case all
    }

    private let context: NSManagedObjectContext
    private let scope: Scope
    private let objects: [NSManagedObject]
    private var problems: [String] = []

    package static func problems(of context: NSManagedObjectContext, _ scope: Scope = .all) -> [String] {
        guard context.persistentStoreCoordinator != nil else { return [] }
        let checker = GraphChecker(context, scope)
        checker.checkRegistry()
        checker.checkLists()
        for object in checker.objects {
            checker.checkRow(object)
            if !object.isDeleted { checker.checkRelationships(object) }
        }
        return checker.problems
    }

    private init(_ context: NSManagedObjectContext, _ scope: Scope) {
        self.context = context
        self.scope = scope
        objects = context.allObjects
    }

    private func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
        if !condition { problems.append(problem()) }
    }

    private func name(_ object: NSManagedObject) -> String { "\(object.layout.name) \(object.key)" }

    // MARK: Registry

    private func checkRegistry() {
        var ids: Set<NSManagedObjectID> = []
        for object in objects {
            expect(ids.insert(object.objectID).inserted, "\(name(object)) is registered twice")
            expect(object.objectID.key == object.key, "\(name(object)) has the ID of another key")
            expect(
                object.registry.object(object.key) === object, "\(name(object)) is not the object its registry finds by its key")
            expect(object.context === context, "\(name(object)) is registered but has another context")
            expect(!object._state.contains(.gone), "\(name(object)) is registered but gone")
            expect(
                object.key > 0 ? object.registry.store != nil : object.registry.store == nil,
                "\(name(object)) is in the wrong registry")
            let isInOpenStore = object.registry.store.map { $0.store != nil } ?? true
            expect(
                !isInOpenStore || context.registeredObject(for: object.objectID) === object,
                "\(name(object)) is not found by its ID")
        }
        let known = Set(objects)
        for object in [context.changeLists.inserted, context.changeLists.updated, context.changeLists.deleted].joined()
        where !object._state.contains(.gone) {
            expect(known.contains(object), "\(name(object)) has unsaved changes and is not registered")
        }
    }

    // MARK: Change sets

    private func checkLists() {
        let inserted = context.changeLists.inserted.filter(\.isPendingInsert)
        let updated = context.changeLists.updated.filter(\.isUpdated)
        let deleted = context.changeLists.deleted.filter(\.isDeleted)
        let sets = [("inserted", Set(inserted)), ("updated", Set(updated)), ("deleted", Set(deleted))]
        for (list, (name, set)) in zip([inserted, updated, deleted], sets) {
            expect(list.count == set.count, "an object stands twice among the \(name) ones")
        }
        let lists: [(String, ContiguousArray<NSManagedObject>, ObjectState)] = [
            ("updatedList", context.changeLists.updated, .inUpdatedList),
            ("deletedList", context.changeLists.deleted, .inDeletedList),
            ("eventUpdated", context.changeLists.eventUpdated, .inEventUpdated),
            ("eventDeleted", context.changeLists.eventDeleted, .inEventDeleted),
        ]
        for (name, list, flag) in lists {
            let listed = Set(list)
            expect(listed.count == list.count, "an object has two entries in \(name)")
            for object in objects {
                expect(
                    object._state.contains(flag) == listed.contains(object),
                    "\(self.name(object)): the flag of an entry in \(name) is wrong")
            }
        }
        expect(sets[0].1.isDisjoint(with: sets[1].1), "an object is both inserted and updated")
        expect(sets[0].1.isDisjoint(with: sets[2].1), "an object is both inserted and deleted")
        expect(sets[1].1.isDisjoint(with: sets[2].1), "an object is both updated and deleted")
        let events: [(String, ObjectState, Set<NSManagedObject>)] = [
            ("eventInserted", .eventInserted, Set(context.changeLists.eventInserted)),
            ("eventUpdated", .eventUpdated, Set(context.changeLists.eventUpdated)),
            ("eventDeleted", .eventDeleted, Set(context.changeLists.eventDeleted)),
            ("eventRefreshed", .eventRefreshed, Set(context.changeLists.eventRefreshed)),
        ]
        for object in objects {
            let state = object._state
            expect(object.isPendingInsert == sets[0].1.contains(object), "\(name(object)): inserted or not")
            expect(object.isUpdated == sets[1].1.contains(object), "\(name(object)): updated or not")
            if state.contains(.deleted), !state.contains(.inserted), object.row?.version != 0 {
                expect(sets[2].1.contains(object), "\(name(object)) is deleted and not in the list of deleted ones")
            }
            if state.contains(.deletedByMerge) {
                expect(
                    state.isSuperset(of: [.deleted, .deletedElsewhere]), "\(name(object)) is deleted by a merge, and not deleted")
            }
            for (list, flag, members) in events where state.contains(flag) {
                expect(members.contains(object), "\(name(object)) has the bit of \(list) and is not in the list")
            }
        }
    }

    // MARK: Rows

    private func checkRow(_ object: NSManagedObject) {
        if let slots = object._slots {
            expect(object.row?.slots == slots, "\(name(object)): slots that are not those of its row")
        } else {
            expect(object.snapshot == nil, "\(name(object)) is a fault with a snapshot")
        }
        if let snapshot = object.snapshot, let row = object.row {
            expect(object._state.contains(.draft), "\(name(object)) has a snapshot and no draft")
            expect(snapshot !== row, "\(name(object)): the snapshot is the draft")
            expect(
                snapshot.version == row.version, "\(name(object)): the draft's version \(row.version) is not \(snapshot.version)")
        }
        if object._state.contains(.writable) {
            expect(object._state.contains(.draft), "\(name(object)) may be written without a draft")
            expect(
                !object._state.isDisjoint(with: [.eventInserted, .eventUpdated]),
                "\(name(object)) may be written without telling the context")
        }
        // A child's rows are its parent's, and the row of a new object has no version there. An object that could not
        // be read has none either.
        if context.parent == nil, object.key > 0, !object.isInserted, !object._state.contains(.unread), let row = object.row,
            !object.isDeleted
        {
            expect(row.version > 0, "\(name(object)) is saved and its row has version \(row.version)")
        }
    }

    // MARK: Relationships

    private func checkRelationships(_ object: NSManagedObject) {
        for relationship in object.layout.relationships {
            guard let link = object.links?[relationship.index] else { continue }
            if let members = link as? _ToManyObjects {
                checkMembers(members, object, relationship)
            } else if let destination = link as? NSManagedObject {
                checkDestination(destination, object, relationship)
            }
        }
    }

    private func checkMembers(_ members: _ToManyObjects, _ object: NSManagedObject, _ relationship: RelationshipLayout) {
        let place = "\(name(object)).\(relationship.name)"
        expect(relationship.isToMany, "\(place) is to-one and has members")
        guard members.isLoaded else { return }
        let list = members.objects
        expect(Set(list).count == list.count, "\(place) has a member twice")
        for member in list {
            expect(members.contains(member), "\(place): the member \(name(member)) is not found")
            guard !member.isDeleted else { continue }
            checkMember(member, of: object, relationship)
        }
        for added in members.added.values {
            expect(list.contains { $0 === added }, "\(place): \(name(added)) was added and is no member")
        }
        for removed in members.removed.values {
            expect(!list.contains { $0 === removed }, "\(place): \(name(removed)) was removed and is a member")
        }
    }

    private func checkDestination(_ destination: NSManagedObject, _ object: NSManagedObject, _ relationship: RelationshipLayout) {
        let place = "\(name(object)).\(relationship.name)"
        if let row = object.row {
            expect(!row.isNil(relationship.slot), "\(place) has an object and no key")
            if !row.isNil(relationship.slot), row.integer(relationship.slot) > 0 {
                expect(
                    row.integer(relationship.slot) == destination.key, "\(place) is \(name(destination)) and its key is another")
            }
            if let slot = relationship.entitySlot {
                expect(
                    !row.isNil(slot) && Int(row.integer(slot)) == destination.layout.index,
                    "\(place): the entity of \(name(destination))")
            }
        }
        guard !destination.isDeleted, !destination._state.contains(.gone) else { return }
        checkMember(destination, of: object, relationship)
    }

    /// Checks that `member`, a destination of `object`, points back.
    private func checkMember(_ member: NSManagedObject, of object: NSManagedObject, _ relationship: RelationshipLayout) {
        guard scope != .own, scope == .all || !member.registry.record.pointee.isDetached else { return }
        let place = "\(name(object)).\(relationship.name)"
        expect(!member._state.contains(.gone), "\(place) has \(name(member)), which is gone")
        expect(member.context === context, "\(place) has \(name(member)) of another context")
        guard let inverseID = relationship.inverse, let inverse = member.layout.relationship(id: inverseID) else { return }
        let back = "\(name(member)).\(inverse.name)"
        if inverse.isToMany {
            guard let members = member.links?[inverse.index] as? _ToManyObjects else { return }
            if members.isLoaded {
                expect(members.contains(object), "\(place) has \(name(member)), and \(back) lacks it")
            } else {
                expect(
                    members.removed[ObjectIdentifier(object)] == nil, "\(place) has \(name(member)), and \(back) has removed it")
            }
        } else if let destination = member.links?[inverse.index] {
            expect(destination === object, "\(place) has \(name(member)), and \(back) is another")
        } else if let row = member.row {
            // The row may be older than the object's permanent key.
            let key = row.isNil(inverse.slot) ? nil : row.integer(inverse.slot)
            expect(
                key == object.key || key.flatMap(context.permanentPlace)?.key == object.key,
                "\(place) has \(name(member)), and \(back) is another's key")
        }
    }
}
