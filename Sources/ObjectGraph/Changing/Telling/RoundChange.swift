import DataModel
import Storage

/// The changes of one object in one round.
struct RoundChange {
    /// The image before; nil if it is not known, and for new objects.
    var before: ObjectImage?
    /// The image after, if it was written down.
    var after: ObjectImage?
    /// The slots that differ; nil if they are not known.
    var slots: SlotMask?
    /// To-many relationships whose members must be compared to find out whether they differ.
    private var open: [RelationshipLayout] = []
    /// The former members of these relationships.
    private var formerMembers: [Int: [NSManagedObject]] = [:]
    /// The state that has the former members of relationships.
    var state: EventState?

    init(before: ObjectImage?, slots: SlotMask?) {
        self.before = before
        self.slots = slots
    }

    /// Finds out the changes, as far as no relationship must be loaded from the store.
    init(of object: NSManagedObject, _ past: ObjectPast) {
        switch past {
        case .lastTold(let row):
            self.init(before: row.map { ObjectImage(row: $0) }, slots: SlotMask())
        case .new:
            self.init(before: nil, slots: object.isInserted ? object.slotsSetAfterInsertion : nil)
        case .replaced(let state):
            self.init(
                before: state.row.map { ObjectImage(row: $0, members: state.members) },
                slots: state.row == nil ? SlotMask() : state.row.flatMap(object.slots(differingFrom:)))
            takeRelationships(of: object, state)
        case .replacedUnknown(let state):
            self.init(before: nil, slots: nil)
            takeRelationships(of: object, state)
        case .unknown:
            self.init(before: nil, slots: nil)
        case .unread:
            self.init(before: nil, slots: object.changedSlots(persistentOnly: true))
        case .event(let state, let current):
            self.init(before: ObjectImage(row: current), slots: SlotMask())
            // Without a state the object is reported because of changes of others.
            if let state { take(state, of: object, current) }
        case .fault(let isChanged):
            // Only relationships can have changed.
            self.init(before: nil, slots: isChanged ? object.changedSlots(persistentOnly: true) : nil)
        }
    }

    private mutating func take(_ state: EventState, of object: NSManagedObject, _ current: Row) {
        let row = state.row ?? current
        before = ObjectImage(row: row)
        self.state = state
        var changed = SlotMask()
        func compare(_ slot: Int) {
            if let relationship = object.layout.relationship(slot: slot), relationship.isToMany {
                if state.hasChanged(relationship) { changed.insert(slot) }
            } else if object.layout.kind(slot) != .vacant, object.differs(slot, row, current) {
                changed.insert(slot)
            }
        }
        // Undone changes are not marked.
        if state.wasClean { object.markedSlots.forEach(compare) } else { object.layout.slots.indices.forEach(compare) }
        slots = changed
    }

    /// A relationship that was not read does not count as changed, unless others report the change, or unsaved changes
    /// of it were dropped.
    private mutating func takeRelationships(of object: NSManagedObject, _ replaced: ReplacedState) {
        formerMembers = replaced.members
        for relationship in object.layout.storedRelationships where relationship.isToMany {
            guard replaced.members[relationship.index] == nil else {
                open.append(relationship)
                continue
            }
            let present = object.toManyIfKnown(relationship)?.unsavedMembers ?? UnsavedMembers()
            let former = replaced.unsavedMembers[relationship.index] ?? UnsavedMembers()
            if replaced.saidSlots.contains(relationship.slot) || former != present { slots?.insert(relationship.slot) }
        }
    }

    /// Compares members that were left open. Loads them.
    mutating func compareOpen(_ object: NSManagedObject, where isWanted: (Int) -> Bool) {
        for relationship in open where isWanted(relationship.slot) {
            guard let old = formerMembers[relationship.index] else { continue }
            // Members that can't be read may differ.
            guard let current = object.context == nil ? [] : try? object.toMany(relationship).loadedObjects() else {
                slots?.insert(relationship.slot)
                continue
            }
            let isSame = relationship.isOrdered ? old.elementsEqual(current, by: ===) : Set(old) == Set(current)
            if !isSame { slots?.insert(relationship.slot) }
        }
        open.removeAll { isWanted($0.slot) }
    }

    /// Finds and loads the former members of changed relationships, and former destinations that are new objects.
    mutating func findMembers(of object: NSManagedObject) {
        guard let row = before?.row else { return }
        if let state, let slots {
            for relationship in object.layout.relationships where slots.contains(relationship.slot) {
                guard before?.members[relationship.index] == nil, relationship.isToMany || row.hasNewDestination(relationship)
                else { continue }
                before?.members[relationship.index] = state.destinations(relationship)
            }
        }
        before?.keepNewDestinations(of: object)
    }

    /// The relationships whose members the functions above would load.
    func relationshipsToLoad(_ object: NSManagedObject) -> [RelationshipLayout] {
        let changed = state == nil ? [] : object.layout.relationships.filter { $0.isToMany && slots?.contains($0.slot) == true }
        return (open + changed).filter { object.hasFault(forRelationshipNamed: $0.name) }
    }
}

extension NSManagedObject {
    /// The slots of a new object whose value is not the model's default.
    final var slotsSetAfterInsertion: SlotMask {
        let template = registry.runtime.templates[layout.index]
        var result = SlotMask()
        guard let row else { return result }
        for slot in markedSlots {
            if let relationship = layout.relationship(slot: slot), relationship.isToMany {
                if toManyIfKnown(relationship)?.differs == true { result.insert(slot) }
            } else if differs(slot, template, row) {
                result.insert(slot)
            }
        }
        return result
    }

    /// The last values; nil if they are not known or can't be read. Observers of the past get only what is known.
    final var lastKnownRow: Row? {
        if _state.contains(.unread) { return nil }
        if let row { return row }
        return _state.contains(.deletedElsewhere) ? nil : try? context?.loadRow(of: self)
    }

    /// The values of a deleted object as observers were last told: without changes of the event in which it was
    /// deleted.
    final func lastToldRow(in context: NSManagedObjectContext) -> Row? {
        if _state.contains(.unread) { return nil }
        if let image = context.event.posted?.log.image(of: self) { return image.row ?? snapshot ?? lastKnownRow }
        // Without unsaved changes from earlier events, observers were told of the saved values.
        return _state.contains(.changedBefore) ? lastKnownRow : snapshot ?? lastKnownRow
    }

    /// The slots of persistent values that differ from those in another row; nil if the object can't be read. Loads the object.
    final func slots(differingFrom old: Row) -> SlotMask? {
        var result = SlotMask()
        if isFault, (try? fire()) == nil { return nil }
        guard !_state.contains(.unread), let row else { return nil }
        for slot in layout.slots.indices where layout.slots[slot].isPersistent {
            let kind = layout.kind(slot)
            switch kind {
            case .toMany, .vacant: continue
            default: if differs(slot, old, row) { result.insert(slot) }
            }
        }
        return result
    }
}
