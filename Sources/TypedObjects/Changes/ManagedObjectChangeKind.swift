import Foundation
import ObjectGraph

/// What happened to an object in a round of changes. The order is that in which a round is gone through: deletions, insertions,
/// updates.
public enum ManagedObjectChangeKind: Int, Sendable, CaseIterable {
    /// The context gave it up, by `reset()`, or its store was removed from the coordinator.
    case invalidated
    /// It was deleted.
    case deleted
    /// With a predicate: a change made it match no longer.
    case left
    /// It is new.
    case inserted
    /// With a predicate: a change made it match.
    case entered
    /// Properties changed.
    case updated
    /// Its values were read again; it was not changed by the context itself.
    case refreshed
}

extension ManagedObjectChangeKind {
    /// The kind as a context knows it; nil for those that conditions make.
    var inContext: _ChangeKind? {
        switch self {
        case .inserted: .inserted
        case .updated: .updated
        case .deleted: .deleted
        case .refreshed: .refreshed
        case .invalidated: .invalidated
        case .entered, .left: nil
        }
    }
}

extension Notification.ChangedType {
    /// Whether changes of a kind are asked for.
    func includes(_ kind: ManagedObjectChangeKind) -> Bool {
        switch kind {
        case .inserted: contains(.inserted)
        case .updated: contains(.updated)
        case .entered: !isDisjoint(with: [.updated, .entered])
        case .left: !isDisjoint(with: [.updated, .left])
        case .deleted: contains(.deleted)
        case .refreshed: contains(.refreshed)
        case .invalidated: contains(.invalidated)
        }
    }
}
