import DataModel
import Storage

/// An object's state before its values were replaced by a refresh, a merge or an undo.
struct ReplacedState {
    /// It is held, so that its identity stays unique.
    let object: NSManagedObject
    /// The values at the beginning of the event; nil if they were not loaded.
    let row: Row?
    /// The members of to-many relationships that were loaded, by the index in `EntityLayout.relationships`, and the new
    /// destinations of to-one relationships.
    let members: [Int: [NSManagedObject]]
    /// The added and removed members of the other to-many relationships.
    let unsavedMembers: [Int: UnsavedMembers]
    /// The slots of relationships that others report as changed.
    var saidSlots = SlotMask()

    init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        self.object = object
        let state = EventState(of: object, in: context)
        // Only drafts ever change.
        let present = object._state.contains(.draft) ? object.row?.makeDraft() : object.row
        // If there are several events, the one being recorded counts: its changes were not told yet.
        row = object._state.isDisjoint(with: [.eventInserted, .eventUpdated]) ? present : state?.row ?? present
        var members: [Int: [NSManagedObject]] = [:]
        var unsaved: [Int: UnsavedMembers] = [:]
        for relationship in object.layout.storedRelationships {
            guard relationship.isToMany else {
                guard row?.hasNewDestination(relationship) == true else { continue }
                members[relationship.index] =
                    state?.destinations(relationship) ?? [object.links?[relationship.index] as? NSManagedObject].compactMap { $0 }
                continue
            }
            guard let link = object.links?[relationship.index] else { continue }
            let current = unsafeDowncast(link, to: _ToManyObjects.self)
            if current.isLoaded {
                members[relationship.index] = state?.destinations(relationship) ?? current.objects
            } else if current.hasChanges {
                unsaved[relationship.index] = current.unsavedMembers
            }
        }
        self.members = members
        unsavedMembers = unsaved
    }
}

extension NSManagedObject {
    /// Keeps the object's state for observers, before other values or members replace its own.
    final func keepReplacedState() {
        guard let context, !context.shared.observers.isEmpty || _state.contains(.isObserved), row != nil || links != nil,
            _state.isDisjoint(with: [.image, .unread])
        else { return }
        if context.telling.isTelling { context.settleRounds() }
        guard context.event.replaced[ObjectIdentifier(self)] == nil else { return }
        context.event.keep(ReplacedState(self, in: context))
        context.noteTurn()
    }
}
