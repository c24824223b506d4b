import DataModel
import Foundation
import Storage

/// An object as it was at the beginning of the present event, or of the event that is being reported.
struct EventState {
    private let object: NSManagedObject
    /// The logs of the event, the older one first.
    private let logs: [EventLog]
    /// The values then; nil if they did not change.
    let row: Row?
    /// Whether the object had no unsaved changes then, so that its committed values are those it had.
    let wasClean: Bool

    /// - Returns: nil if the object did not change in the event.
    init?(of object: NSManagedObject, in context: NSManagedObjectContext) {
        let state = object._state
        let isPresent = !state.isDisjoint(with: [.eventInserted, .eventUpdated])
        let posted = context.event.posted.flatMap { posted in
            posted.sets.updated.set.contains(object) || posted.sets.inserted.set.contains(object) ? posted : nil
        }
        guard isPresent || posted != nil else { return nil }
        self.object = object
        logs = [posted?.log, isPresent ? context.event.log : nil].compactMap { $0 }
        if state.contains(.inserted), posted?.sets.inserted.set.contains(object) ?? state.contains(.eventInserted) {
            row = object.registry.runtime.templates[object.layout.index]
            wasClean = true
        } else if let image = logs.first?.image(of: object) {
            row = image.row ?? object.snapshot
            wasClean = false
        } else {
            row = object.snapshot
            wasClean = true
        }
    }

    /// The old value of an attribute; nil if it is the present one.
    func value(_ slot: Int) -> Any? {
        guard let row, let current = object.row, object.differs(slot, row, current) else { return nil }
        return SlotCoding.value(in: row, slot: slot, of: object.layout) ?? NSNull()
    }

    /// The old destinations of a relationship; nil if they are the present ones.
    func destinations(_ relationship: RelationshipLayout) -> [NSManagedObject]? {
        guard relationship.storage != .transient else { return nil }
        if wasClean {
            guard object.changedSlots(persistentOnly: true).contains(relationship.slot) else { return nil }
            return object.committedDestinations(relationship)
        }
        let changes = logs.flatMap { $0.changes(of: object, relationship) }
        guard !changes.isEmpty else { return nil }
        if !relationship.isToMany {
            guard case .destination(let old) = changes[0], old !== object.toOne(relationship) else { return nil }
            return old.map { [$0] } ?? []
        }
        return relationship.isOrdered ? order(before: changes, of: relationship) : members(before: changes, of: relationship)
    }

    /// Whether a to-many relationship has other members or another order. It loads nothing: if members would have to be
    /// loaded, an ordered relationship that was changed counts as different.
    func hasChanged(_ relationship: RelationshipLayout) -> Bool {
        guard relationship.storage != .transient else { return false }
        if wasClean { return object.changedSlots(persistentOnly: true).contains(relationship.slot) }
        let changes = logs.flatMap { $0.changes(of: object, relationship) }
        guard !changes.isEmpty else { return false }
        guard object.hasFault(forRelationshipNamed: relationship.name) else { return destinations(relationship) != nil }
        return relationship.isOrdered || !LinkChange.cancelOut(changes)
    }

    private func members(before changes: [LinkChange.Change], of relationship: RelationshipLayout) -> [NSManagedObject]? {
        let current = Set(object.toMany(relationship).objects)
        var old = current
        for change in changes.reversed() {
            switch change {
            case .added(let member, _): old.remove(member)
            case .removed(let member, _): old.insert(member)
            case .destination, .reordered: break
            }
        }
        return old == current ? nil : Array(old)
    }

    private func order(before changes: [LinkChange.Change], of relationship: RelationshipLayout) -> [NSManagedObject]? {
        let current = object.toMany(relationship).objects
        var old = current
        for change in changes.reversed() {
            switch change {
            case .destination: break
            case .added(let member, _): if let index = old.lastIndex(where: { $0 === member }) { old.remove(at: index) }
            case .removed(let member, let position):
                old.insert(member, at: (0...old.count).contains(position) ? position : old.count)
            case .reordered(let order): old = order
            }
        }
        return old.elementsEqual(current, by: ===) ? nil : old
    }
}
