import DataModel
import Storage

/// One change of one side of a relationship, with what is needed to undo it.
struct LinkChange {
    enum Change {
        /// A to-one relationship was set; this was its destination before.
        case destination(NSManagedObject?)
        /// A member was added or removed. The number is its position if the relationship is ordered and loaded, else
        /// -1.
        case added(NSManagedObject, Int)
        case removed(NSManagedObject, Int)
        /// The members got another order. This was the order before.
        case reordered([NSManagedObject])
    }

    /// Whether additions and removals of one relationship's members cancel out: each member was added and removed in
    /// turn.
    static func cancelOut(_ changes: some Sequence<Change>) -> Bool {
        var different: Set<ObjectIdentifier> = []
        for change in changes {
            switch change {
            case .added(let member, _), .removed(let member, _):
                if different.remove(ObjectIdentifier(member)) == nil { different.insert(ObjectIdentifier(member)) }
            case .destination, .reordered: return false
            }
        }
        return different.isEmpty
    }

    let owner: NSManagedObject
    /// The index in `EntityLayout.relationships`.
    let relationship: Int
    let change: Change

    /// The present destination of a to-one relationship that was changed.
    var presentDestination: NSManagedObject? {
        guard case .destination = change, owner.context != nil, !owner._state.contains(.deleted) else { return nil }
        return owner.toOne(owner.layout.relationships[relationship])
    }

    /// Whether it concerns an object that was inserted and deleted in the event being processed. Such changes have no
    /// effect.
    var isOfVanished: Bool {
        if owner.isVanishing { return true }
        switch change {
        case .added(let member, _), .removed(let member, _): return member.isVanishing
        case .destination, .reordered: return false
        }
    }
}

extension NSManagedObject {
    /// Whether the object was inserted and deleted in one event.
    fileprivate final var isVanishing: Bool { _state.isSuperset(of: [.eventInserted, .inserted, .deleted]) }
}
