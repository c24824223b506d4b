import DataModel
import Storage

/// What an object was before its values were replaced: read again, merged, or taken back.
struct ReplacedState {
    /// Held, so that its identity stays its own.
    let object: NSManagedObject
    /// The values at the beginning of the event; nil if they were not loaded.
    let row: Row?
    /// The members of to-many relationships that were loaded, by the index in `EntityLayout.relationships`, and the new destinations of to-one relationships.
    let members: [Int: [NSManagedObject]]
    /// Of the other ones what had been added and removed.
    let unsavedMembers: [Int: UnsavedMembers]
    /// The slots of relationships that others changed, as they say.
    var saidSlots = SlotMask()

    init(_ object: NSManagedObject, in context: NSManagedObjectContext) {
        self.object = object
        let state = EventState(of: object, in: context)
        // Only drafts ever change.
        let present = object._state.contains(.draft) ? object.row?.makeDraft() : object.row
        // Of several events the one being recorded counts: what was changed in it was not told of yet.
        row = object._state.isDisjoint(with: [.eventInserted, .eventUpdated]) ? present : state?.row ?? present
        var members: [Int: [NSManagedObject]] = [:]
        var unsaved: [Int: UnsavedMembers] = [:]
        for relationship in object.layout.relationships where relationship.storage != .transient {
            guard relationship.isToMany else {
                guard row?.hasNewDestination(relationship) == true else { continue }
                members[relationship.index] =
                    state?.destinations(relationship) ?? [object.links?[relationship.index] as? NSManagedObject].compactMap { $0 }
                continue
            }
            guard let link = object.links?[relationship.index] else { continue }
            let current = unsafeDowncast(link, to: ToManyObjects.self)
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
    /// Keeps what the object was for observers who will ask, before other values or members take the place of its own.
    final func keepReplacedState() {
        guard let context, !context.observers.isEmpty || _state.contains(.isObserved), row != nil || links != nil,
            _state.isDisjoint(with: [.image, .unread])
        else { return }
        if context.isTelling { context.settleRounds() }
        guard context.replacedStates[ObjectIdentifier(self)] == nil else { return }
        context.replacedStates[ObjectIdentifier(self)] = ReplacedState(self, in: context)
        context.noteTurn()
    }
}
