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
    /// effect, unless the owner was deleted, too: it still has a member that vanished, and must lose it when it comes
    /// back.
    var isOfVanished: Bool {
        if owner.isVanishing { return true }
        switch change {
        case .added(let member, _), .removed(let member, _): return member.isVanishing && !owner._state.contains(.deleted)
        case .destination, .reordered: return false
        }
    }
}

/// A relationship of one object.
private struct Side: Hashable {
    let owner: ObjectIdentifier
    let relationship: Int
}

extension ContiguousArray<LinkChange> {
    /// The changes without those of objects that vanished. The positions in other changes of an ordered relationship count
    /// such members. So the order before such a member came stands in place of its addition.
    var withoutVanished: ContiguousArray<LinkChange> {
        guard contains(where: \.isOfVanished) else { return self }
        var result: ContiguousArray<LinkChange> = []
        // The members as they were before the changes, which are looked at from the last one on.
        var orders: [Side: [NSManagedObject]] = [:]
        for link in reversed() {
            let side = Side(owner: ObjectIdentifier(link.owner), relationship: link.relationship)
            let order = orders[side] ?? link.order
            if let order { orders[side] = link.change.undone(in: order) }
            if !link.isOfVanished {
                result.append(link)
            } else if case .added = link.change, order != nil, let before = orders[side],
                result.contains(where: { $0.owner === link.owner && $0.relationship == link.relationship })
            {
                result.append(LinkChange(owner: link.owner, relationship: link.relationship, change: .reordered(before)))
            }
        }
        result.reverse()
        return result
    }
}

extension LinkChange {
    /// The present members of an ordered relationship; nil for other relationships, and if they are not loaded.
    fileprivate var order: [NSManagedObject]? {
        let relationship = owner.layout.relationships[relationship]
        guard relationship.isOrdered, !owner.isVanishing, let members = owner.toManyIfKnown(relationship), members.isLoaded
        else { return nil }
        return members.objects
    }
}

extension LinkChange.Change {
    /// The order of members before the change.
    fileprivate func undone(in order: [NSManagedObject]) -> [NSManagedObject] {
        switch self {
        case .added(let member, _): return order.filter { $0 !== member }
        case .removed(let member, let position):
            var order = order
            order.insert(member, at: position < 0 ? order.count : Swift.min(position, order.count))
            return order
        case .reordered(let old): return old
        case .destination: return order
        }
    }
}

extension NSManagedObject {
    /// Whether the object was inserted and deleted in one event.
    fileprivate final var isVanishing: Bool { _state.isSuperset(of: [.eventInserted, .inserted, .deleted]) }
}
