import DataModel
import Storage

/// What an object was before its values were replaced: read again, merged, or taken back.
struct ReplacedState {
    /// Held, so that its identity stays its own.
    let object: NSManagedObject
    /// The values at the beginning of the event.
    let row: Row
    /// The members of to-many relationships that were loaded, by the index in `EntityLayout.relationships`.
    let members: [Int: [NSManagedObject]]
    /// Of the other ones those that had changes.
    let changedRelationships: Set<Int>
    /// Whether the object went back to what it was before; otherwise others may have changed everything.
    let isTakenBack: Bool

    init(_ object: NSManagedObject, _ row: Row, in context: NSManagedObjectContext, isTakenBack: Bool) {
        self.object = object
        self.isTakenBack = isTakenBack
        let state = EventState(of: object, in: context)
        // Of several events the one being recorded counts: what was changed in it was not told of yet.
        self.row = object._state.isDisjoint(with: [.eventInserted, .eventUpdated]) ? row : state?.row ?? row
        var members: [Int: [NSManagedObject]] = [:]
        var changed: Set<Int> = []
        for relationship in object.layout.relationships where relationship.isToMany && relationship.storage != .transient {
            guard let link = object.links?[relationship.index] else { continue }
            let current = unsafeDowncast(link, to: ToManyObjects.self)
            if current.isLoaded {
                members[relationship.index] = state?.destinations(relationship) ?? current.objects
            } else if current.hasChanges {
                changed.insert(relationship.index)
            }
        }
        self.members = members
        changedRelationships = changed
    }
}

extension NSManagedObject {
    /// Keeps what the object was for observers who will ask, before other values take the place of its own.
    final func keepReplacedRow(isTakenBack: Bool = false) {
        guard let context, let row, !context.observers.isEmpty, !_state.contains(.unread) else { return }
        if context.isTelling { context.settleRounds() }
        guard context.replacedStates[ObjectIdentifier(self)] == nil else { return }
        context.replacedStates[ObjectIdentifier(self)] = ReplacedState(self, row, in: context, isTakenBack: isTakenBack)
    }
}
