import DataModel

/// One change of one side of a relationship, as it happened: enough to take it back.
struct LinkChange {
    enum Change {
        /// A to-one relationship was set; this was its destination before.
        case destination(NSManagedObject?)
        /// A member came or went; its position if the relationship is ordered and loaded, else -1.
        case added(NSManagedObject, Int)
        case removed(NSManagedObject, Int)
        /// The members got another order; this was the order before.
        case reordered([NSManagedObject])
    }

    /// Whether additions and removals of one relationship's members leave nothing: each came and went in turn.
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

    /// What a to-one relationship that was changed leads to by now.
    var presentDestination: NSManagedObject? {
        guard case .destination = change, owner.context != nil, !owner._state.contains(.deleted) else { return nil }
        return owner.toOne(owner.layout.relationships[relationship])
    }

    /// Whether it concerns an object that came and went in the event being processed: such changes leave nothing.
    var isOfVanished: Bool {
        if owner.isVanishing { return true }
        switch change {
        case .added(let member, _), .removed(let member, _): return member.isVanishing
        case .destination, .reordered: return false
        }
    }
}

extension NSManagedObject {
    /// Inserted and deleted in one event.
    fileprivate final var isVanishing: Bool { _state.isSuperset(of: [.eventInserted, .inserted, .deleted]) }
}
